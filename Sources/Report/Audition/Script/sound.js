// Sound: media that are decoded when they are needed, and a player that switches between them without a gap.

/** The media of the page, by their keys. In a folder beside the page they come as scripts that call `pinnaMedium`. */
class Media {
  constructor(context) {
    this.context = context
    this.decoded = new Map()
    this.arriving = new Map()
    globalThis.pinnaMedium = (id, key, text) => {
      const {done, fail} = this.arriving.get(key) ?? {}
      this.arriving.delete(key)
      if (id === page.id) done?.(text)
      else fail?.(new Error('The folder beside the page belongs to another page; make both anew.'))
    }
  }

  /** The samples of a medium; those that were asked for last are kept. */
  get(key) {
    const known = this.decoded.get(key)
    if (known) return known
    if (this.decoded.size >= 48) this.decoded.delete(this.decoded.keys().next().value)
    const coming = this.text(key).then(text => this.context.decodeAudioData(Media.bytes(text)))
    this.decoded.set(key, coming)
    coming.catch(() => this.decoded.delete(key))
    return coming
  }

  text(key) {
    const inside = document.getElementById('medium-' + key)
    if (inside) return Promise.resolve(inside.textContent)
    return new Promise((done, fail) => {
      this.arriving.set(key, {done, fail})
      const script = document.createElement('script')
      // A colon or a question mark in the folder's name would make it another address.
      script.src = './' + encodeURIComponent(page.folder) + '/' + key + '.js'
      script.onerror = () => fail(
        new Error(`The file ${page.folder}/${key}.js can't be read; keep it beside the page.`))
      document.head.append(script)
    })
  }

  static bytes(text) {
    const plain = atob(text.trim())
    const bytes = new Uint8Array(plain.length)
    for (let index = 0; index < plain.length; index += 1) bytes[index] = plain.charCodeAt(index)
    return bytes.buffer
  }
}

/**
 * Plays several sounds at the same time, of which one is heard. A switch lasts 10 ms: one sound goes down in a
 * straight line while the other comes up, so that two equal sounds stay as they are.
 */
class Player {
  static fade = 0.01
  static lead = 0.03

  constructor(context) {
    this.context = context
    this.volume = context.createGain()
    this.volume.connect(context.destination)
    this.stop()
  }

  get isPlaying() { return this.parts.length > 0 }

  /** Gives the player to whoever asks; `lost` is called when somebody else gets it. What was playing stops, and who
   * still loads something finds that the session isn't theirs any more. */
  claim(lost) {
    const before = this.session
    this.stop()
    this.session = {lost}
    before?.lost()
    return this.session
  }

  /** Starts all `buffers` together; that at `first` is heard. `ended` is called at the end. */
  play(buffers, first, {loops = false, from = 0, length, gain = 1, ended} = {}) {
    this.stop()
    const begin = this.onSample(this.context.currentTime + Player.lead)
    this.begin = begin
    this.from = from
    this.length = length ?? Math.max(...buffers.map(buffer => buffer.duration))
    this.loops = loops
    this.heard = first
    this.free = begin
    this.parts = buffers.map((buffer, index) => {
      const source = this.context.createBufferSource()
      const level = this.context.createGain()
      source.buffer = buffer
      source.loop = loops
      source.connect(level).connect(this.volume)
      level.gain.setValueAtTime(index === first ? gain : 0, 0)
      if (length === undefined) source.start(begin, from)
      else source.start(begin, from, length)
      return {source, level}
    })
    this.gain = gain
    this.parts[0].source.onended = () => {
      this.stop()
      ended?.()
    }
  }

  /** Another sound is heard from now on, at the same place in it. */
  select(index) {
    if (!this.isPlaying || index === this.heard) return
    const begin = this.onSample(Math.max(this.context.currentTime + Player.lead, this.free))
    const end = begin + Player.fade
    this.ramp(this.heard, this.gain, 0, begin, end)
    this.ramp(index, 0, this.gain, begin, end)
    this.heard = index
    this.free = end
  }

  stop() {
    for (const {source, level} of this.parts ?? []) {
      source.onended = null
      source.stop()
      level.disconnect()
    }
    this.parts = []
  }

  /** How far the sound is, in seconds; `undefined` when nothing plays. */
  get position() {
    if (!this.isPlaying) return undefined
    const passed = Math.max(0, this.context.currentTime - this.begin) + this.from
    return this.loops ? passed % this.length : Math.min(passed, this.length)
  }

  ramp(index, from, to, begin, end) {
    const {gain} = this.parts[index].level
    gain.setValueAtTime(from, begin)
    gain.linearRampToValueAtTime(to, end)
  }

  /** The next sample at or behind `time`; a time that is a sample already stays where it is, however it was rounded. */
  onSample(time) { return Math.ceil(time * this.context.sampleRate - 1e-6) / this.context.sampleRate }
}
