/** What stands in for a listener and a sound card on a listening page. Runs before the page's own script. */
(() => {
  const Offline = OfflineAudioContext

  // Chance with a seed: the same tournaments in every run.
  let counter = 20_261
  crypto.getRandomValues = array => {
    for (let index = 0; index < array.length; index += 1) {
      counter = (counter + 0x6D2B79F5) | 0
      let value = Math.imul(counter ^ (counter >>> 15), 1 | counter)
      value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
      array[index] = (value ^ (value >>> 14)) >>> 0
    }
    return array
  }
  const coin = () => crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32

  // The page's context is one that renders when it is told to, not in real time.
  const seconds = 6
  globalThis.AudioContext = class {
    constructor({sampleRate}) {
      const context = new Offline(2, seconds * sampleRate, sampleRate)
      Object.defineProperty(context, 'state', {get: () => 'running'})
      const own = context.decodeAudioData.bind(context)
      context.decodeAudioData = async bytes => {
        probe.decoding += 1
        try {
          const buffer = await own(bytes)
          if (probe.delay) await new Promise(done => later(done, probe.delay))
          return buffer
        } finally {
          probe.decoding -= 1
        }
      }
      probe.context = context
      return context
    }
  }

  // What is heard: sources whose own gain was last set above 0.
  const targets = new WeakMap()
  const feeds = new Map()
  for (const name of ['setValueAtTime', 'linearRampToValueAtTime']) {
    const own = AudioParam.prototype[name]
    AudioParam.prototype[name] = function (value, time) {
      targets.set(this, value)
      return own.call(this, value, time)
    }
  }
  const connect = AudioNode.prototype.connect
  AudioNode.prototype.connect = function (node, ...rest) {
    if (this instanceof AudioBufferSourceNode) feeds.set(this, node)
    return connect.call(this, node, ...rest)
  }
  const stop = AudioBufferSourceNode.prototype.stop
  AudioBufferSourceNode.prototype.stop = function (...rest) {
    feeds.delete(this)
    return stop.call(this, ...rest)
  }

  // What the page waits for before a sound counts as heard passes at once.
  const later = globalThis.setTimeout
  globalThis.setTimeout = (act, time) => {
    if (time !== 500) return later(act, time)
    const channel = new MessageChannel()
    channel.port1.onmessage = () => act()
    channel.port2.postMessage(0)
  }

  const tick = () => new Promise(done => {
    const channel = new MessageChannel()
    channel.port1.onmessage = done
    channel.port2.postMessage(0)
  })
  const pause = time => new Promise(done => later(done, time))
  // Decoding has threads of its own, so turns that come fast must not use the patience up.
  const until = async (what, told) => {
    for (let turn = 0; turn < 20_000; turn += 1) {
      const value = what()
      if (value) return value
      await (turn < 200 ? tick() : pause(5))
    }
    throw new Error('waited in vain for ' + told)
  }
  const at = id => document.getElementById(id)
  const button = (text, root = document) => [...root.querySelectorAll('button')]
    .find(one => one.textContent === text && one.checkVisibility())
  const press = key => document.activeElement.dispatchEvent(
    new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}))

  const probe = globalThis.probe = {
    /** Media that are being decoded for the page. */
    decoding: 0,

    /** Waits until the page has nothing left to do: what is decoded has been passed on. */
    async settled() {
      const turns = async () => {
        for (let turn = 0; turn < 20; turn += 1) await tick()
      }
      await turns()
      await until(() => probe.decoding === 0, 'the decoder')
      await turns()
    },

    /** All media by their keys, decoded once more. */
    async media() {
      if (probe.known) return probe.known
      probe.known = new Map()
      for (const element of document.querySelectorAll('script[id^=medium-]')) {
        const bytes = Uint8Array.from(atob(element.textContent), letter => letter.charCodeAt(0))
        const context = new Offline(2, 1, probe.context.sampleRate)
        probe.known.set(element.id.slice(7), await context.decodeAudioData(bytes.buffer))
      }
      return probe.known
    },

    facts: () => JSON.parse(at('facts').textContent),

    /** The keys of the media that are heard now. */
    async heard() {
      const media = await probe.media()
      const same = (one, other) => one.length === other.length
        && [0, 1].every(channel => {
          const [a, b] = [one.getChannelData(channel), other.getChannelData(channel)]
          for (let index = 5000; index < Math.min(a.length, 20_000); index += 37) if (a[index] !== b[index]) return false
          return true
        })
      return [...feeds].filter(([, gain]) => targets.get(gain.gain) > 0)
        .map(([source]) => [...media].find(([, buffer]) => same(buffer, source.buffer))?.[0])
    },

    /** SHA-256 of the samples of every excerpt as integers of 24 bits, beside what the page says of them. */
    async digests() {
      const told = []
      for (const excerpt of probe.facts().excerpts) {
        for (const level of excerpt.levels) {
          const buffer = (await probe.media()).get(`${excerpt.id}-${level.way}`)
          const bytes = new Uint8Array(buffer.length * 6)
          for (let index = 0; index < buffer.length; index += 1) {
            for (const channel of [0, 1]) {
              const value = Math.round(buffer.getChannelData(channel)[index] * 2 ** 23)
              const place = index * 6 + channel * 3
              bytes[place] = value & 255
              bytes[place + 1] = (value >> 8) & 255
              bytes[place + 2] = (value >> 16) & 255
            }
          }
          const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
          told.push([[...hash].map(byte => byte.toString(16).padStart(2, '0')).join(''), level.pcmSHA256])
        }
      }
      return told
    },

    /** Plays the first excerpt, switches by keys at these times, and compares every sample that comes out. */
    async switching(turns) {
      const {context} = probe
      const rate = context.sampleRate
      at('play').click()
      await until(() => feeds.size > 0, 'the sound')
      const ways = probe.facts().ways
      const media = await probe.media()
      const planes = ways.map(way => media.get('e1-' + way.id))
      const switches = []
      for (const [time, number] of turns) {
        context.suspend(time).then(() => {
          switches.push([context.currentTime, number - 1])
          press(String(number))
          Offline.prototype.resume.call(context)
        })
      }
      const out = await context.startRendering()
      const result = {frames: out.length, differs: 0, ramps: 0, worstInRamps: 0, heard: 0}
      const begin = Math.ceil(0.03 * rate)
      const length = planes[0].length
      for (const channel of [0, 1]) {
        const got = out.getChannelData(channel)
        const wanted = planes.map(plane => plane.getChannelData(channel))
        for (let index = 0; index < got.length; index += 1) {
          if (index < begin) {
            if (got[index] !== 0) result.differs += 1
            continue
          }
          const place = (index - begin) % length
          // The way that is heard, and how far the last switch is.
          let [one, other, part] = [0, 0, 1]
          for (const [time, number] of switches) {
            const start = Math.ceil((time + 0.03) * rate - 1e-6)
            if (index >= start) [one, other, part] = [other, number, Math.min(1, (index - start) / (0.01 * rate))]
          }
          const target = wanted[one][place] * (1 - part) + wanted[other][place] * part
          const error = Math.abs(got[index] - target)
          if (part < 1) {
            result.ramps += 1
            result.worstInRamps = Math.max(result.worstInRamps, error)
          } else {
            if (error !== 0) result.differs += 1
            if (got[index] !== 0) result.heard += 1
          }
        }
      }
      return result
    },

    /** One tournament of a listener who prefers the way `favourite` in four of five comparisons. */
    async tournament(favourite, asksPlaces) {
      at('tab-tournament').click()
      if (at('ask-places')) at('ask-places').checked = asksPlaces
      at('tournament-start').click()
      const trial = at('tournament-trial')
      let [places, pairs, most] = [0, 0, '']
      while (true) {
        await until(() => button('Play the sound', trial) ?? button('Play A', trial) ?? button('Once more', trial),
          'a question')
        if (button('Once more', trial)) break
        const heading = trial.querySelector('h3')
        if (button('Play the sound', trial)) {
          places += 1
          button('Play the sound', trial).click()
          const names = trial.querySelectorAll('fieldset button')
          await until(() => !names[0].disabled, 'the answers')
          names[coin() < 0.5 ? 0 : 1].click()
        } else {
          pairs += 1
          most = heading.textContent.match(/at most [0-9]+/)[0]
          const ways = []
          for (const name of ['A', 'B']) {
            const play = button('Play ' + name, trial)
            play.click()
            await until(() => play.getAttribute('aria-pressed') === 'true' && feeds.size > 0, name)
            await tick()
            await tick()
            ways.push((await probe.heard()).map(key => key.split('-')[1]).join())
          }
          const mine = ways.indexOf(favourite)
          const choice = mine < 0 ? Number(coin() < 0.5) : coin() < 0.8 ? mine : 1 - mine
          const [outside, preferred] = trial.querySelectorAll('fieldset')
          await until(() => !button('No difference', outside).disabled, 'the answers')
          button('No difference', outside).click()
          button('AB'[choice], preferred).click()
        }
        await until(() => trial.querySelector('h3') !== heading, 'the next question')
      }
      const answer = {
        winner: trial.querySelector('h3').textContent, text: trial.textContent, places, pairs, most,
        order: [...trial.querySelectorAll('tbody th')].map(cell => cell.textContent),
      }
      answer.saved = probe.save()
      button('Once more', trial).click()
      return answer
    },

    /** Many tournaments, each with another favourite; how many it won. */
    async tournaments(count) {
      const ways = probe.facts().ways
      let [won, most] = [0, 0]
      for (let turn = 0; turn < count; turn += 1) {
        const way = ways[turn % ways.length]
        const answer = await probe.tournament(way.id, false)
        if (answer.winner === 'The winner is ' + way.label) won += 1
        most = Math.max(most, answer.pairs)
      }
      return {won, most}
    },

    /** An ABX test, answered by keys; right in the first `right` trials. */
    async abx(right) {
      at('tab-abx').click()
      at('abx-count').value = '16'
      at('abx-start').click()
      const trial = at('abx-trial')
      for (let number = 0; number < 16; number += 1) {
        const heading = await until(() => {
          const found = trial.querySelector('h3')
          return found?.textContent.startsWith(`Trial ${number + 1} `) ? found : null
        }, 'a trial')
        const heard = {}
        for (const name of ['A', 'B', 'X']) {
          press(name.toLowerCase())
          const play = button('Play ' + name, trial)
          await until(() => play.getAttribute('aria-pressed') === 'true' && feeds.size > 0, name)
          await tick()
          await tick()
          heard[name] = (await probe.heard()).join()
        }
        const isA = heard.X === heard.A
        if (heard.A === heard.B) throw new Error('A and B are the same')
        await until(() => !button('X is A', trial).disabled, 'the answers')
        press(isA === (number < right) ? '1' : '2')
        await until(() => trial.querySelector('h3') !== heading, 'the next trial')
      }
      const answer = {heading: trial.querySelector('h3').textContent, text: trial.textContent, saved: probe.save()}
      button('Once more', trial).click()
      return answer
    },

    /** What goes wrong when somebody is faster than the decoder, each with what was heard. */
    async haste() {
      const wrong = []
      const expect = async (what, wanted) => {
        await probe.settled()
        const heard = (await probe.heard()).join()
        if (heard !== wanted) wrong.push(`${what}: ${heard || 'nothing'} instead of ${wanted || 'nothing'}`)
      }
      const [first, second] = document.querySelectorAll('input[name=excerpt]')
      at('play').click()
      second.click()
      await expect('another excerpt while one is loaded', 'e2-w1')
      at('play').click()
      await expect('stopped', '')
      at('play').click()
      at('play').click()
      await expect('pressed twice', '')
      first.click()
      at('play').click()
      at('tab-tournament').click()
      await expect('another part while an excerpt is loaded', '')
      at('ask-places').checked = false
      at('tournament-start').click()
      const trial = at('tournament-trial')
      await until(() => button('Play A', trial), 'a comparison')
      button('Play A', trial).click()
      button('Play B', trial).click()
      await probe.settled()
      if (!button('No difference', trial).disabled) wrong.push('answers open though only one sound was heard')
      const heard = (await probe.heard()).join()
      press('Escape')
      await expect('escape', '')
      at('tab-listen').click()
      at('tab-tournament').click()
      press('b')
      await expect('keys after another tab', heard)
      at('tab-abx').click()
      at('abx-start').click()
      await expect('another test', '')
      button('Stop this test', at('abx-trial')).click()
      await until(() => button('Once more', at('abx-trial')), 'the end')
      const saved = JSON.parse(probe.save())
      if (saved.abx.length !== 1 || saved.abx[0].trials.length !== 0) wrong.push('a stopped test is not saved as one')
      at('tab-listen').click()
      at('play').click()
      document.querySelectorAll('input[name=way]')[1].click()
      await expect('a way chosen while loading', 'e1-w2')
      document.querySelectorAll('input[name=way]')[1].focus()
      press(' ')
      await expect('space on a chosen way', '')
      return wrong
    },

    /** What the button says, and what trouble there is, once either something plays or trouble is told. */
    async outcome() {
      await until(() => feeds.size > 0 || at('trouble').textContent, 'sound or trouble')
      await probe.settled()
      return `${at('play').textContent} ${at('trouble').textContent}`
    },

    /** The text of the file that the page offers. */
    save() {
      const own = HTMLAnchorElement.prototype.click
      let href = ''
      HTMLAnchorElement.prototype.click = function () { href = this.href }
      at('save').click()
      HTMLAnchorElement.prototype.click = own
      return decodeURIComponent(href.slice(href.indexOf(',') + 1))
    },
  }
})()
