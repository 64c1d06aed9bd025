// swift-format-ignore-file
// Written by make_tables.py; don't edit.

/// The script of listening pages, and its hash as a content security policy lists it.
enum AuditionScript {
  static let digest = "sha256-KZj5MX9h0MVd70j/lNm4eZmDMP2i/h8z5GU2KLcu0gs="

  static let source = Markup.verbatim(
    #"""
    (() => {
    'use strict'

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

    // Chance: fair choices, and how likely they would come out as they did.

    const chance = {
      /** A whole number from 0 to below `count`, every one as likely as any other. */
      below(count) {
        const limit = Math.floor(2 ** 32 / count) * count
        const drawn = new Uint32Array(1)
        do crypto.getRandomValues(drawn)
        while (drawn[0] >= limit)
        return drawn[0] % count
      },

      /** The same things in another order, every order as likely as any other. */
      shuffled(things) {
        const order = [...things]
        for (let last = order.length - 1; last > 0; last -= 1) {
          const other = chance.below(last + 1)
          const kept = order[last]
          order[last] = order[other]
          order[other] = kept
        }
        return order
      },

      /** How likely `right` or more of `count` guesses of a coin are right: the exact binomial sum. */
      guessing(right, count) {
        let sum = 0
        let term = 1
        for (let index = 0; index <= count; index += 1) {
          if (count - index >= right) sum += term
          term = term * (count - index) / (index + 1)
        }
        return sum / 2 ** count
      },

      /** How likely one of two ways wins as clearly as this when nobody hears a difference, whichever it is. */
      deciding(won, count) { return Math.min(1, 2 * chance.guessing(won, count)) },

      /** A name that no other test has. */
      name() { return [1, 2].map(() => chance.below(2 ** 32).toString(16).padStart(8, '0')).join('') },

      /** A probability as people read it. */
      text(share) {
        if (share >= 0.095) return `${Math.round(share * 100)} %`
        if (share >= 0.0095) return `${(share * 100).toFixed(1)} %`
        return share >= 0.0001 ? `${(share * 100).toPrecision(1)} %` : 'less than 0.01 %'
      },
    }

    // View: small helpers for what the page shows.

    const view = {
      at: id => document.getElementById(id),

      /** An element with attributes and content; text stays text. */
      make(name, attributes = {}, ...content) {
        const element = document.createElement(name)
        for (const [key, value] of Object.entries(attributes)) {
          if (value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : value)
        }
        element.append(...content)
        return element
      },

      /** A button that does something. */
      button(text, act, attributes = {}) {
        const button = view.make('button', {type: 'button', ...attributes}, text)
        button.addEventListener('click', act)
        return button
      },

      /** Says a sentence to people who listen to the page instead of looking at it. */
      say(text) { view.at('spoken').textContent = text },

      /** Shows that something failed. */
      complain(error) {
        const place = view.at('trouble')
        place.textContent = error.message
        place.hidden = false
      },

      /** A table with a caption; the first cell of a row is its heading. */
      table(caption, heads, rows) {
        const cell = (text, index) => index === 0
          ? view.make('th', {scope: 'row'}, String(text)) : view.make('td', {}, String(text))
        return view.make('div', {class: 'scroll'}, view.make('table', {class: 'whole'},
          view.make('caption', {}, caption),
          view.make('thead', {}, view.make('tr', {}, ...heads.map(head => view.make('th', {scope: 'col'}, head)))),
          view.make('tbody', {}, ...rows.map(row => view.make('tr', {}, ...row.map(cell))))))
      },

      /** Offers a text as a file. */
      save(name, text) {
        const link = view.make('a', {
          download: name, href: 'data:application/json;charset=utf-8,' + encodeURIComponent(text),
        })
        document.body.append(link)
        link.click()
        link.remove()
      },
    }

    /** Keys that the open part listens to: by part, from a key to what it does. */
    const keys = {
      acts: {},
      open: 'listen',
      handle(event) {
        if (event.ctrlKey || event.altKey || event.metaKey) return
        const target = event.target
        if (target.matches('select, input[type=range]')) return
        // A space presses the button that has the focus.
        if (event.key === ' ' && target.closest('button, input[type=checkbox], summary, a')) return
        const act = keys.acts[keys.open]?.[event.key.toLowerCase()]
        if (!act) return
        event.preventDefault()
        act()
      },
    }

    // Free listening: everything is named, and a switch keeps the place.

    class Listening {
      constructor(media, player) {
        this.media = media
        this.player = player
        this.excerpt = 0
        this.way = 0
        this.session = undefined
        for (const input of document.querySelectorAll('input[name=excerpt]')) {
          input.addEventListener('change', () => this.choose(Number(input.value)))
        }
        for (const input of document.querySelectorAll('input[name=way]')) {
          input.addEventListener('change', () => this.switchTo(Number(input.value)))
        }
        view.at('play').addEventListener('click', () => this.toggle())
        view.at('volume').addEventListener('input', event => {
          player.volume.gain.value = Number(event.target.value) / 100
        })
        keys.acts.listen = this.keys
        setInterval(() => this.show(), 200)
      }

      /** What the keys do here. */
      get keys() {
        const acts = {' ': () => this.toggle(), escape: () => this.halt()}
        page.ways.forEach((_, index) => {
          acts[String(index + 1)] = () => {
            document.querySelectorAll('input[name=way]')[index].checked = true
            this.switchTo(index)
          }
        })
        return acts
      }

      toggle() { return this.session ? this.halt() : this.start() }

      /** Loads and plays the chosen excerpt, unless something else is wanted by the time that it is there. */
      async start() {
        const session = this.player.claim(() => this.lost())
        this.session = session
        view.at('play').textContent = 'Stop'
        try {
          await awake(this.player.context)
          const buffers = await Promise.all(page.ways.map(way => this.media.get(mediumKey(this.excerpt, way))))
          if (this.player.session !== session) return
          this.player.play(buffers, this.way, {loops: view.at('repeat').checked, ended: () => this.halt()})
        } catch (error) {
          if (this.player.session === session) this.halt()
          view.complain(error)
        }
      }

      halt() {
        if (this.session) this.player.claim(() => {})
      }

      lost() {
        this.session = undefined
        view.at('play').textContent = 'Play'
      }

      choose(index) {
        this.excerpt = index
        if (this.session) this.start()
      }

      switchTo(index) {
        this.way = index
        if (this.session) this.player.select(index)
        view.say(page.ways[index].label)
      }

      show() {
        const length = page.excerpts[this.excerpt].seconds
        const passed = this.session ? this.player.position ?? 0 : 0
        const text = `${passed.toFixed(1)} of ${length.toFixed(1)} s`
        view.at('position').value = passed / length
        if (view.at('time').textContent !== text) view.at('time').textContent = text
      }
    }

    // The order of play: who meets whom, and who has won.

    /** Pairs that are decided one after another: who loses is out. */
    class Bracket {
      /** Comparisons that a side must win to win a match of `count` ways. */
      static winsNeeded(count) {
        // Whoever prefers one way in four of five comparisons, and has no preference among the others, sees it win in 97 of
        // 100 tournaments; and six to none happens by chance in 3 %.
        return count > 4 ? 7 : 6
      }

      /** At most so many comparisons decide among `count` ways. */
      static most(count) { return (count - 1) * (2 * Bracket.winsNeeded(count) - 1) }

      /** A tournament of these ways, in an order that chance makes. */
      constructor(ways) {
        this.needed = Bracket.winsNeeded(ways.length)
        this.round = chance.shuffled(ways)
        this.next = []
        this.match = undefined
        this.matches = []
        this.advance()
      }

      /** The two that meet now; `undefined` when all is decided. */
      get pair() { return this.match?.ways }

      get winner() { return this.match ? undefined : this.round[0] }

      /** One of the two that meet was preferred. */
      prefer(way) {
        const {ways, wins} = this.match
        wins[ways.indexOf(way)] += 1
        if (Math.max(...wins) === this.needed) {
          this.next.push(wins[0] > wins[1] ? ways[0] : ways[1])
          this.advance()
        }
      }

      advance() {
        if (this.round.length === 1 && this.next.length > 0) this.next.push(this.round.shift())
        if (this.round.length === 0) {
          // Who had no opponent in this round meets the first of the next one.
          this.round = this.next.reverse()
          this.next = []
        }
        if (this.round.length === 1) {
          this.match = undefined
          return
        }
        this.match = {ways: this.round.splice(0, 2), wins: [0, 0]}
        this.matches.push(this.match)
      }
    }

    /** The ways from the best to the last, from the answers of a tournament: who lost later is better; then who won more
     * comparisons; then who was heard from the right place more often. */
    function ranking(ways, trials) {
      const rows = ways.map(way => {
        const places = trials.filter(trial => trial.kind === 'place' && trial.way === way)
        const pairs = trials.filter(trial => trial.kind === 'pair' && trial.ways.includes(way))
        const won = pairs.filter(trial => trial.preferred === way).length
        return {
          way, won, asked: pairs.length,
          outside: pairs.filter(trial => trial.outside === way).length,
          right: places.filter(trial => trial.answer === trial.place).length, places: places.length,
          last: trials.findLastIndex(trial => trial.kind === 'pair' && trial.ways.includes(way)),
          isWinner: false,
        }
      })
      const end = Math.max(...rows.map(row => row.last))
      for (const row of rows) row.isWinner = row.last === end && trials[end]?.preferred === row.way
      const share = (part, whole) => whole > 0 ? part / whole : 0
      return rows.sort((one, other) => Number(other.isWinner) - Number(one.isWinner) || other.last - one.last
        || share(other.won, other.asked) - share(one.won, one.asked)
        || share(other.right, other.places) - share(one.right, one.places))
    }

    // One question of a blind test: sounds without names, and answers that open when all were heard.

    class Trial {
      /** Milliseconds that a sound must play before it counts as heard. */
      static shortest = 500

      /** Shows sounds called `names` and `questions` (`{text, answers: [{text, value}]}`) in the part `part`. `load` gives the
       * buffers of the sounds, `options` say how the player plays them. */
      constructor(part, player, {heading, names, load, options, questions, stop}) {
        this.player = player
        this.load = load
        this.options = options
        this.heard = new Set()
        this.playing = undefined
        this.answers = questions.map(() => undefined)
        this.acts = {escape: () => this.halt()}
        this.closed = []
        this.result = new Promise(done => { this.done = done })
        this.session = player.claim(() => this.lost())
        this.sounds = names.map((name, index) => {
          const key = 'abx'[index]
          this.acts[key] = () => this.press(index)
          return view.button(`Play ${name}`, () => this.press(index), {'aria-pressed': 'false', 'aria-keyshortcuts': key})
        })
        const first = view.make('h3', {tabindex: '-1'}, heading)
        view.at(part + '-trial').replaceChildren(first, view.make('p', {class: 'buttons'}, ...this.sounds),
          ...questions.map((question, index) => this.question(question, index)), this.hint(),
          view.make('p', {class: 'buttons'}, view.button('Stop this test', () => {
            player.claim(() => {})
            this.done(undefined)
          })))
        keys.acts[part] = this.acts
        // Whoever answers by keyboard or hears the page is at the beginning of the new question.
        first.focus()
      }

      question({text, answers}, number) {
        const buttons = answers.map(answer => {
          const act = () => {
            if (own.disabled) return
            this.answers[number] = answer.value
            buttons.forEach(button => button.setAttribute('aria-pressed', String(button === own)))
            if (!this.answers.includes(undefined)) {
              this.player.claim(() => {})
              this.done(this.answers)
            }
          }
          const key = String(this.closed.length + 1)
          const own = view.button(answer.text, act, {disabled: true, 'aria-pressed': 'false', 'aria-keyshortcuts': key})
          this.acts[key] = act
          this.closed.push(own)
          return own
        })
        return view.make('fieldset', {class: 'question'}, view.make('legend', {}, text),
          view.make('p', {class: 'buttons'}, ...buttons))
      }

      hint() {
        const names = this.sounds.map((_, index) => view.make('kbd', {}, 'ABX'[index]))
        return view.make('p', {class: 'note'}, 'Keys: ', ...names.flatMap(name => [name, ' ']), 'play and stop, ',
          view.make('kbd', {}, '1'), ' to ', view.make('kbd', {}, String(this.closed.length)),
          ' answer once all were heard, ', view.make('kbd', {}, 'Esc'), ' stops the sound.')
      }

      /** Plays a sound, switches to it, or stops it. */
      async press(index) {
        if (this.player.session !== this.session) this.session = this.player.claim(() => this.lost())
        if (this.playing === index) return this.halt()
        this.playing = index
        this.show()
        if (this.player.isPlaying) {
          this.player.select(index)
          return this.count(index)
        }
        const session = this.session
        if (session.isLoading) return
        session.isLoading = true
        try {
          await awake(this.player.context)
          const buffers = await this.load()
          if (this.player.session !== session || this.playing === undefined) return
          this.player.play(buffers, this.playing, {...this.options, ended: () => this.halt()})
          this.count(this.playing)
        } catch (error) {
          this.halt()
          view.complain(error)
        } finally {
          session.isLoading = false
        }
      }

      /** Notes that a sound was heard, once it has played for a while. */
      count(index) {
        const session = this.session
        setTimeout(() => {
          const isHeard = this.player.session === session && this.playing === index && this.player.isPlaying
          if (!isHeard || this.player.context.state !== 'running') return
          this.heard.add(index)
          if (this.heard.size === this.sounds.length) for (const button of this.closed) button.disabled = false
        }, Trial.shortest)
      }

      halt() {
        if (this.player.session === this.session) this.player.claim(() => {})
        this.lost()
      }

      lost() {
        this.playing = undefined
        this.show()
      }

      show() {
        this.sounds?.forEach((button, index) => button.setAttribute('aria-pressed', String(index === this.playing)))
      }
    }

    /** The buffers of one excerpt in several ways. */
    const together = (media, excerpt, ways) => () => Promise.all(ways.map(way => media.get(mediumKey(excerpt, way))))

    // The tournament: where test sounds seem to come from, then which of two suits better, until one is left.

    class Tournament {
      /** Times that each place is asked for. */
      static placeRepeats = 4

      static words = {
        front: 'In front', back: 'Behind', up: 'Above', down: 'Below',
      }

      constructor(media, player, store) {
        this.media = media
        this.player = player
        this.store = store
        view.at('tournament-start').addEventListener('click', () => this.run())
      }

      async run() {
        view.at('tournament-setup').hidden = true
        this.trials = []
        const asksPlaces = view.at('ask-places')?.checked
        const isWhole = (!asksPlaces || await this.askPlaces()) && await this.askPairs()
        this.store.tournaments.push({id: chance.name(), isWhole, trials: this.trials})
        unsaved()
        if (isWhole) this.show()
        else again('tournament', 'The tournament was stopped', 'Its answers count for nothing.')
      }

      async askPlaces() {
        const asked = []
        for (const way of page.ways.filter(way => way.hasPlaces)) {
          for (const place of page.places) {
            for (let turn = 0; turn < Tournament.placeRepeats; turn += 1) asked.push({way, place})
          }
        }
        const order = chance.shuffled(asked)
        for (const [index, {way, place}] of order.entries()) {
          // Neither level nor order tells where a sound comes from.
          const gain = 10 ** (-6 * chance.below(1001) / 1000 / 20)
          const answers = page.places.filter(known => known.axis === place.axis)
            .map(known => ({text: Tournament.words[known.name], value: known.name}))
          const trial = new Trial('tournament', this.player, {
            heading: `Sound ${index + 1} of ${order.length}`, names: ['the sound'],
            load: async () => [await this.media.get('places-' + way.id)],
            options: {from: place.startSeconds, length: place.seconds, gain},
            questions: [{text: 'Where does it come from?', answers}],
          })
          const said = await trial.result
          if (!said) return false
          this.trials.push({kind: 'place', way: way.id, place: place.name, answer: said[0]})
        }
        return true
      }

      async askPairs() {
        const bracket = new Bracket(page.ways.map(way => way.id))
        let number = 0
        while (bracket.pair) {
          const ways = chance.shuffled(bracket.pair)
          const excerpt = number % page.excerpts.length
          number += 1
          const answers = [{text: 'A', value: ways[0]}, {text: 'B', value: ways[1]}]
          const trial = new Trial('tournament', this.player, {
            heading: `Comparison ${number} of at most ${Bracket.most(page.ways.length)}`, names: ['A', 'B'],
            load: together(this.media, excerpt, ways.map(wayOf)), options: {loops: true},
            questions: [
              {text: 'Which one is further outside of your head?',
                answers: [...answers, {text: 'No difference', value: null}]},
              {text: 'Which one do you prefer?', answers},
            ],
          })
          const said = await trial.result
          if (!said) return false
          const [outside, preferred] = said
          this.trials.push({kind: 'pair', excerpt: page.excerpts[excerpt].id, ways, outside, preferred})
          bracket.prefer(preferred)
        }
        return true
      }

      show() {
        const rows = ranking(page.ways.map(way => way.id), this.trials)
        const best = wayOf(rows[0].way)
        const part = (one, whole) => whole > 0 ? `${one} of ${whole}` : '–'
        const final = this.trials.filter(trial => trial.kind === 'pair'
          && trial.ways.includes(rows[0].way) && trial.ways.includes(rows[1].way))
        const won = final.filter(trial => trial.preferred === rows[0].way).length
        const command = ['pinna render …', page.inputFlags, best.flags].filter(Boolean).join(' ')
        again('tournament', `The winner is ${best.label}`,
          ...best.flags ? ['Use it with: ', view.make('code', {}, command)] : [],
          view.make('br'),
          `It won ${won} of ${final.length} comparisons with ${wayOf(rows[1].way).label}, the runner-up; where nobody hears a `
            + `difference, ${chance.text(chance.deciding(won, final.length))} of all such matches end as clearly.`,
          view.table('From the best to the last. Who lost later is better, then who won more comparisons.',
            ['Way', 'Preferred', 'Outside of the head', 'Place heard right'],
            rows.map(row => [wayOf(row.way).label, part(row.won, row.asked), part(row.outside, row.asked),
              part(row.right, row.places)])))
      }
    }

    // ABX: whether two ways can be told apart.

    class ABX {
      constructor(media, player, store) {
        this.media = media
        this.player = player
        this.store = store
        view.at('abx-start').addEventListener('click', () => this.run())
      }

      async run() {
        const ways = [wayOf(view.at('abx-a').value), wayOf(view.at('abx-b').value)]
        if (ways[0] === ways[1]) return view.complain(new Error('A and B are the same; choose two different ones.'))
        view.at('trouble').hidden = true
        view.at('abx-setup').hidden = true
        const excerpt = Number(view.at('abx-excerpt').value)
        const planned = Number(view.at('abx-count').value)
        const trials = []
        while (trials.length !== planned) {
          const hidden = ways[chance.below(2)]
          const trial = new Trial('abx', this.player, {
            heading: `Trial ${trials.length + 1} of ${planned}`, names: ['A', 'B', 'X'],
            load: together(this.media, excerpt, [...ways, hidden]), options: {loops: true},
            questions: [{
              text: 'What is X?', answers: [{text: 'X is A', value: ways[0].id}, {text: 'X is B', value: ways[1].id}],
            }],
          })
          const said = await trial.result
          if (!said) break
          trials.push({x: hidden.id, answer: said[0]})
        }
        this.store.abx.push({
          id: chance.name(), ways: ways.map(way => way.id), excerpt: page.excerpts[excerpt].id, planned, trials,
        })
        unsaved()
        if (trials.length === planned) this.show(ways, trials)
        else again('abx', 'The test was stopped', 'It shows nothing: whoever may stop at a lucky moment can prove anything.')
      }

      show(ways, trials) {
        const right = trials.filter(trial => trial.x === trial.answer).length
        const guess = chance.guessing(right, trials.length)
        const verdict = guess < 0.05 ? 'you hear a difference' : 'this shows no difference that you hear'
        again('abx', `${right} of ${trials.length} right`,
          `A was ${ways[0].label}, B was ${ways[1].label}. Whoever guesses gets as many right in ${chance.text(guess)} of all tests: `
            + `${verdict}. (Below 5 % counts as heard; the probability is exact, binomial.)`)
      }
    }

    // Start: the page's facts, its parts and its tabs.

    const page = JSON.parse(document.getElementById('facts').textContent)
    const wayOf = id => page.ways.find(way => way.id === id)
    const mediumKey = (excerpt, way) => page.excerpts[excerpt].id + '-' + way.id

    /** Browsers let a page sound only after somebody pressed something. */
    async function awake(context) {
      if (context.state === 'suspended') await context.resume()
    }

    /** There are results that no file holds yet. */
    function unsaved() {
      view.at('saving').hidden = false
      view.at('saving').dataset.unsaved = 'yes'
    }

    /** Shows how a test of the part ended, and lets it be done once more. */
    function again(part, heading, ...content) {
      const title = view.make('h3', {tabindex: '-1'}, heading)
      const tables = content.filter(one => one.tagName === 'DIV')
      view.at(part + '-trial').replaceChildren(title,
        view.make('p', {}, ...content.filter(one => !tables.includes(one))), ...tables,
        view.make('p', {class: 'buttons'}, view.button('Once more', () => {
          view.at(part + '-trial').replaceChildren()
          view.at(part + '-setup').hidden = false
          view.at(part + '-start').focus()
        })))
      keys.acts[part] = {}
      title.focus()
    }

    function begin() {
      const Context = globalThis.AudioContext ?? globalThis.webkitAudioContext
      if (!Context) {
        return view.complain(new Error('This browser can\'t play the page: it lacks the Web Audio API. Use a current browser.'))
      }
      const context = new Context({sampleRate: page.rate})
      const media = new Media(context)
      const player = new Player(context)
      const store = {
        schema: 'pinna.audition-result/1', page: page.id, title: page.title, pinna: page.pinna,
        ways: page.ways.map(({id, label, flags}) => ({id, label, flags})), tournaments: [], abx: [],
      }
      view.at('save').addEventListener('click', () => {
        view.save('pinna-audition-results.json', JSON.stringify({...store, saved: new Date().toISOString()}, null, 1) + '\n')
        delete view.at('saving').dataset.unsaved
      })
      addEventListener('beforeunload', event => {
        if (view.at('saving').dataset.unsaved) event.preventDefault()
      })
      new Listening(media, player)
      new Tournament(media, player, store)
      new ABX(media, player, store)
      const tabs = [...document.querySelectorAll('[role=tab]')]
      const open = tab => {
        player.claim(() => {})
        for (const other of tabs) {
          other.setAttribute('aria-selected', String(other === tab))
          other.tabIndex = other === tab ? 0 : -1
          view.at(other.getAttribute('aria-controls')).hidden = other !== tab
        }
        keys.open = tab.getAttribute('aria-controls')
      }
      tabs.forEach((tab, index) => {
        tab.addEventListener('click', () => open(tab))
        tab.addEventListener('keydown', event => {
          const turn = {ArrowRight: 1, ArrowLeft: -1}[event.key]
          if (!turn) return
          event.preventDefault()
          const next = tabs[(index + turn + tabs.length) % tabs.length]
          open(next)
          next.focus()
        })
      })
      document.addEventListener('keydown', keys.handle)
      open(tabs[0])
      view.at('parts').hidden = false
    }

    begin()
    })()
    """#
  )
}
