/** What is wrong with the report that is shown, as sentences. Runs in the page, from report_pages.py. */
(() => {
  const wrong = []
  const say = (what, element) => wrong.push(`${what}: ${(element?.textContent ?? '').trim().slice(0, 60)}`)
  const shown = element => element.checkVisibility({visibilityProperty: true, opacityProperty: true})
  const all = (selector, root = document) => [...root.querySelectorAll(selector)]

  // The page as a whole.
  if (document.documentElement.lang !== 'en') say('no language')
  if (document.documentElement.scrollWidth > innerWidth) {
    say(`the page is ${document.documentElement.scrollWidth} px wide, the window ${innerWidth}`)
  }
  for (const selector of ['header', 'main', 'footer']) {
    if (all(selector).length !== 1) say(`not one ${selector}`)
  }
  const ids = all('[id]').map(element => element.id)
  if (new Set(ids).size !== ids.length) say('ids that are there twice')
  for (const link of all('a[href^="#"]')) {
    if (!document.getElementById(link.getAttribute('href').slice(1))) say('a link to nothing', link)
  }
  let level = 0
  for (const heading of all('h1, h2, h3, h4')) {
    const next = Number(heading.tagName[1])
    if (next > level + 1) say(`h${next} behind h${level}`, heading)
    level = next
  }
  for (const table of all('table')) {
    if (!table.caption?.textContent) say('a table without a caption', table)
    if (all('th:not([scope])', table).length) say('a heading without a scope', table)
  }

  // Colours. Transparent grounds let those behind them through.
  const colour = text => {
    const parts = text.match(/[\d.]+/g).map(Number)
    return text.startsWith('color(srgb') ? [...parts.slice(0, 3).map(part => part * 255), parts[3] ?? 1]
      : [parts[0], parts[1], parts[2], parts[3] ?? 1]
  }
  const over = (top, under) => [0, 1, 2].map(index => top[index] * top[3] + under[index] * (1 - top[3]))
  const ground = element => {
    if (!element) return [255, 255, 255]
    const own = colour(getComputedStyle(element).backgroundColor)
    return own[3] === 1 ? own : over(own, ground(element.parentElement))
  }
  const light = rgb => {
    const [red, green, blue] = rgb.slice(0, 3).map(part => part / 255)
      .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b)
    return (high + 0.05) / (low + 0.05)
  }
  let least = 21
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement
    if (!texts.currentNode.data.trim() || element.closest('script, title, desc') || !shown(element)) continue
    const style = getComputedStyle(element)
    const behind = ground(element)
    const ink = colour(element.namespaceURI.endsWith('svg') ? style.fill : style.color)
    const ratio = contrast(over(ink, behind), behind)
    least = Math.min(least, ratio)
    if (ratio < 4.5) say(`contrast ${ratio.toFixed(2)}`, element)
  }

  // Plots.
  let plots = 0
  for (const plot of all('svg.plot')) {
    if (!shown(plot)) continue
    plots += 1
    const names = (plot.getAttribute('aria-labelledby') ?? '').split(' ')
    if (plot.getAttribute('role') !== 'img' || names.length !== 2
      || names.some(name => !document.getElementById(name)?.textContent)) say('a plot without a name', plot)
    const frame = plot.getBoundingClientRect()
    const labels = all('text', plot).filter(shown).map(text => [text, text.getBoundingClientRect()])
    for (const [text, box] of labels) {
      if (box.width < 1 || box.left < frame.left - 1 || box.right > frame.right + 1
        || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) say('a label outside of its plot', text)
      if (box.height < 10) say('a label too small to be read', text)
    }
    labels.forEach(([text, one], index) => {
      for (const [other, two] of labels.slice(index + 1)) {
        const width = Math.min(one.right, two.right) - Math.max(one.left, two.left)
        const height = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top)
        if (width > 1 && height > 3) say(`labels overlap (${other.textContent.trim()})`, text)
      }
    })
    for (const area of all('.area', plot)) {
      const box = area.querySelector('.frame').getBoundingClientRect()
      if (box.width < 200 || box.right > frame.right + 1) say('a field that doesn\'t fit', plot)
      const figures = all('text', area).filter(text => shown(text) && /^−?\d/.test(text.textContent))
      const up = figures.filter(text => text.getBoundingClientRect().right <= box.left)
      if (up.length < 2) say('no scale upwards', plot)
    }
    const last = all('.area', plot).at(-1)
    if (last) {
      const foot = last.querySelector('.frame').getBoundingClientRect().bottom
      const across = labels.filter(([text, box]) => box.top >= foot && /\d/.test(text.textContent))
      if (across.length < 2) say('no scale across', plot)
    }
  }
  return {wrong: [...new Set(wrong)], plots, least}
})()
