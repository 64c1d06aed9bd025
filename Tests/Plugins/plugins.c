// SPDX-License-Identifier: Apache-2.0
/* LV2 plugins that do one thing each, right or wrong. All have the ports in, out, gain and latency, in this order; the
   further ones come behind them. Their descriptions are written by PluginBundle.swift. */
#include <fcntl.h>
#include <lv2/atom/atom.h>
#include <lv2/atom/util.h>
#include <lv2/core/lv2.h>
#include <lv2/patch/patch.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PREFIX "urn:pinna:test:"
#define LONGEST 48000
/* The port of messages, where there is one. */
#define MESSAGES 4

typedef struct {
  const char *name;
  int delay;
  float *ports[8];
  float line[LONGEST];
  int place;
  int block;
  float level;
  pthread_t thread;
  const LV2_Worker_Schedule *schedule;
  const LV2_URID_Map *map;
} Plugin;

static int is(const Plugin *plugin, const char *name) { return strcmp(plugin->name, name) == 0; }

static void crash(void) { *(volatile int *)0 = 0; }

static LV2_Handle instantiate(const LV2_Descriptor *descriptor, double rate, const char *bundle,
                              const LV2_Feature *const *features) {
  (void)rate;
  (void)bundle;
  Plugin *plugin = calloc(1, sizeof *plugin);
  plugin->name = descriptor->URI + strlen(PREFIX);
  plugin->level = 1;
  if (is(plugin, "null")) {
    free(plugin);
    return NULL;
  }
  if (is(plugin, "crash-instantiate")) crash();
  if (is(plugin, "delay") || is(plugin, "late") || is(plugin, "growing")) plugin->delay = 480;
  if (is(plugin, "silent-delay") || is(plugin, "liar")) plugin->delay = 239;
  for (; *features; features++) {
    if (!strcmp((*features)->URI, LV2_WORKER__schedule)) plugin->schedule = (*features)->data;
    if (!strcmp((*features)->URI, LV2_URID__map)) plugin->map = (*features)->data;
  }
  return plugin;
}

static void connect_port(LV2_Handle handle, uint32_t port, void *data) {
  if (port < 8) ((Plugin *)handle)->ports[port] = data;
}

static void *halve(void *data) {
  ((Plugin *)data)->level = 0.5f;
  return NULL;
}

static void activate(LV2_Handle handle) {
  Plugin *plugin = handle;
  if (is(plugin, "crash-activate")) crash();
  if (is(plugin, "thread")) {
    pthread_create(&plugin->thread, NULL, halve, plugin);
    pthread_join(plugin->thread, NULL);
  }
}

/* What the plugin does besides passing the sound on. */
static void act(Plugin *plugin, uint32_t count) {
  if (is(plugin, "crash-run")) crash();
  /* Behind the block that a test signal of 3 s ends in. */
  if (is(plugin, "crash-late") && plugin->block == 200) crash();
  if (is(plugin, "hang-run") && plugin->block == 2)
    for (;;) pause();
  if (is(plugin, "prints")) {
    puts("a plugin prints to standard output");
    fflush(stdout);
  }
  if (is(plugin, "writes")) {
    int file = open("/var/tmp/pinna-test-plugin-wrote", O_CREAT | O_WRONLY, 0600);
    plugin->level = file >= 0 ? 0.5f : 1;
    if (file >= 0) close(file);
    FILE *own = fopen("own-file", "w");
    if (own)
      fclose(own);
    else
      plugin->level = 0.25f;
  }
  if (is(plugin, "socket")) {
    int socket_ = socket(AF_INET, SOCK_STREAM, 0);
    plugin->level = socket_ >= 0 ? 0.5f : 1;
    if (socket_ >= 0) close(socket_);
  }
  if (is(plugin, "random")) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    plugin->level = 0.5f + (float)(now.tv_nsec % 1000) / 4000;
  }
  if (is(plugin, "whole-blocks")) plugin->level = count == 1024 ? 1 : 0;
  if (is(plugin, "messages")) {
    const LV2_Atom_Sequence *sequence = (const LV2_Atom_Sequence *)plugin->ports[MESSAGES];
    LV2_URID set = plugin->map->map(plugin->map->handle, LV2_PATCH__Set);
    LV2_URID value = plugin->map->map(plugin->map->handle, LV2_PATCH__value);
    LV2_ATOM_SEQUENCE_FOREACH(sequence, event) {
      const LV2_Atom_Object *object = (const LV2_Atom_Object *)&event->body;
      if (object->body.otype != set) continue;
      LV2_ATOM_OBJECT_FOREACH(object, property) {
        if (property->key == value) plugin->level = ((const LV2_Atom_Float *)&property->value)->body;
      }
    }
  }
}

static void run(LV2_Handle handle, uint32_t count) {
  Plugin *plugin = handle;
  if (count == 0) return;
  act(plugin, count);
  float gain = *plugin->ports[2] * plugin->level;
  int echo = is(plugin, "echo");
  for (uint32_t index = 0; index < count; index++) {
    float in = plugin->ports[0][index];
    plugin->line[plugin->place] = in;
    int length = echo ? 24000 : plugin->delay;
    float delayed = length == 0 ? in : plugin->line[(plugin->place + LONGEST - length) % LONGEST];
    plugin->place = (plugin->place + 1) % LONGEST;
    plugin->ports[1][index] = gain * (echo ? in + 0.5f * delayed : delayed);
    if (is(plugin, "mono-to-stereo")) plugin->ports[4][index] = plugin->ports[1][index];
    if (is(plugin, "stereo")) plugin->ports[5][index] = gain * plugin->ports[4][index];
    if (is(plugin, "side-chain")) plugin->ports[1][index] += plugin->ports[4][index];
  }
  if (is(plugin, "nan") && plugin->block == 160) plugin->ports[1][7] = NAN;
  if (is(plugin, "worker")) {
    float half = 0.5f;
    plugin->schedule->schedule_work(plugin->schedule->handle, sizeof half, &half);
  }
  float latency = (float)plugin->delay;
  if (is(plugin, "late") && plugin->block == 0 && count < 1) latency = 0;
  if (is(plugin, "liar")) latency = 64;
  if (is(plugin, "growing") && plugin->block >= 50) latency += 10;
  *plugin->ports[3] = latency;
  plugin->block++;
}

static void deactivate(LV2_Handle handle) {
  if (is(handle, "crash-deactivate")) crash();
}

static void cleanup(LV2_Handle handle) {
  if (is(handle, "crash-cleanup")) crash();
  if (is(handle, "hang-cleanup"))
    for (;;) pause();
  free(handle);
}

static LV2_Worker_Status work(LV2_Handle handle, LV2_Worker_Respond_Function respond,
                              LV2_Worker_Respond_Handle answer, uint32_t size, const void *data) {
  (void)handle;
  return respond(answer, size, data);
}

static LV2_Worker_Status work_response(LV2_Handle handle, uint32_t size, const void *data) {
  if (size == sizeof(float)) memcpy(&((Plugin *)handle)->level, data, size);
  return LV2_WORKER_SUCCESS;
}

static LV2_State_Status save(LV2_Handle handle, LV2_State_Store_Function store, LV2_State_Handle state,
                             uint32_t flags, const LV2_Feature *const *features) {
  (void)handle;
  (void)store;
  (void)state;
  (void)flags;
  (void)features;
  return LV2_STATE_SUCCESS;
}

static LV2_State_Status restore(LV2_Handle handle, LV2_State_Retrieve_Function retrieve,
                                LV2_State_Handle state, uint32_t flags,
                                const LV2_Feature *const *features) {
  Plugin *plugin = handle;
  (void)flags;
  (void)features;
  size_t size;
  uint32_t type, kind;
  LV2_URID key = plugin->map->map(plugin->map->handle, PREFIX "level");
  const void *value = retrieve(state, key, &size, &type, &kind);
  if (value && size == sizeof(float)) memcpy(&plugin->level, value, size);
  return LV2_STATE_SUCCESS;
}

static const void *extension_data(const char *uri) {
  static const LV2_Worker_Interface worker = {work, work_response, NULL};
  static const LV2_State_Interface state = {save, restore};
  if (!strcmp(uri, LV2_WORKER__interface)) return &worker;
  if (!strcmp(uri, LV2_STATE__interface)) return &state;
  return NULL;
}

#define PLUGIN(name)                                                                             \
  {PREFIX name, instantiate, connect_port, activate, run, deactivate, cleanup, extension_data}

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  static const LV2_Descriptor plugins[] = {
      PLUGIN("gain"),           PLUGIN("stereo"),          PLUGIN("delay"),
      PLUGIN("late"),           PLUGIN("silent-delay"),    PLUGIN("liar"),
      PLUGIN("growing"),        PLUGIN("null"),            PLUGIN("crash-instantiate"),
      PLUGIN("crash-activate"), PLUGIN("crash-run"),       PLUGIN("crash-late"),
      PLUGIN("hang-run"),       PLUGIN("crash-deactivate"), PLUGIN("crash-cleanup"),
      PLUGIN("hang-cleanup"),   PLUGIN("nan"),             PLUGIN("worker"),
      PLUGIN("state"),          PLUGIN("thread"),          PLUGIN("writes"),
      PLUGIN("socket"),         PLUGIN("random"),          PLUGIN("whole-blocks"),
      PLUGIN("prints"),         PLUGIN("messages"),        PLUGIN("echo"),
      PLUGIN("side-chain"),     PLUGIN("needs-more"),      PLUGIN("mono-to-stereo"),
      PLUGIN("deaf"),
  };
  return index < sizeof plugins / sizeof plugins[0] ? &plugins[index] : NULL;
}
