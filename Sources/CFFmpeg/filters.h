// SPDX-License-Identifier: Apache-2.0

// libavfilter, opened when it is first needed: it draws in some forty libraries, which no other work needs.
#ifndef PINNA_CFFMPEG_FILTERS_H
#define PINNA_CFFMPEG_FILTERS_H

#include <dlfcn.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>

// What is called of it; each has the type of the function in its header.
typedef struct {
  __typeof__(&avfilter_version) version;
  __typeof__(&avfilter_get_by_name) get_by_name;
  __typeof__(&avfilter_graph_alloc) graph_alloc;
  __typeof__(&avfilter_graph_free) graph_free;
  __typeof__(&avfilter_graph_alloc_filter) graph_alloc_filter;
  __typeof__(&avfilter_init_dict) init_dict;
  __typeof__(&avfilter_link) link;
  __typeof__(&avfilter_graph_config) graph_config;
  __typeof__(&av_buffersrc_add_frame) add_frame;
  __typeof__(&av_buffersink_get_frame) get_frame;
} pinna_filters;

#define PINNA_STRINGIFY(text) #text
#define PINNA_STRING(text) PINNA_STRINGIFY(text)
#ifdef __APPLE__
#define PINNA_FILTERS_NAME "libavfilter." PINNA_STRING(LIBAVFILTER_VERSION_MAJOR) ".dylib"
#else
#define PINNA_FILTERS_NAME "libavfilter.so." PINNA_STRING(LIBAVFILTER_VERSION_MAJOR)
#endif

// Name of the library that the headers belong to.
static inline const char *pinna_filters_name(void) { return PINNA_FILTERS_NAME; }

// Fills `filters`; answers 0 where the library or one of its functions isn't there. The library stays open.
static inline int pinna_open_filters(pinna_filters *filters) {
  void *library = dlopen(PINNA_FILTERS_NAME, RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
#define PINNA_FIND(field, name) \
  if (!(filters->field = (__typeof__(&name))dlsym(library, #name))) return 0
  PINNA_FIND(version, avfilter_version);
  PINNA_FIND(get_by_name, avfilter_get_by_name);
  PINNA_FIND(graph_alloc, avfilter_graph_alloc);
  PINNA_FIND(graph_free, avfilter_graph_free);
  PINNA_FIND(graph_alloc_filter, avfilter_graph_alloc_filter);
  PINNA_FIND(init_dict, avfilter_init_dict);
  PINNA_FIND(link, avfilter_link);
  PINNA_FIND(graph_config, avfilter_graph_config);
  PINNA_FIND(add_frame, av_buffersrc_add_frame);
  PINNA_FIND(get_frame, av_buffersink_get_frame);
#undef PINNA_FIND
  return 1;
}

// How many filters a graph has, those included that it added itself, and one of them.
static inline unsigned pinna_filter_count(const AVFilterGraph *graph) { return graph->nb_filters; }
static inline const AVFilterContext *pinna_filter(const AVFilterGraph *graph, unsigned index) {
  return graph->filters[index];
}

// Whether a filter changes the rate between its first input and its first output.
static inline int pinna_changes_rate(const AVFilterContext *filter) {
  if (!filter->nb_inputs || !filter->nb_outputs) return 0;
  return filter->inputs[0]->sample_rate != filter->outputs[0]->sample_rate;
}

// Whether a filter changes the channels between its first input and its first output.
static inline int pinna_changes_layout(const AVFilterContext *filter) {
  if (!filter->nb_inputs || !filter->nb_outputs) return 0;
  return av_channel_layout_compare(
             &filter->inputs[0]->ch_layout, &filter->outputs[0]->ch_layout) != 0;
}

#endif
