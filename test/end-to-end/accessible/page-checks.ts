/** What is wrong for a person who zooms, touches or uses the keyboard, on a page as it is shown now. */
import type { Page } from 'playwright-core'

declare global {
  // oxlint-disable-next-line no-var -- globals of the page
  var checks: ReturnType<typeof installed>
}

/** Puts what the checks share into the page. */
function installed() {
  const CONTROLS =
    'a[href], button, input:not([type="hidden"]), select, textarea, summary, [tabindex], [contenteditable="true"]'
  const NATIVE = 'a[href], button, input, select, textarea, summary'

  const isRendered = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0

  /** A dialog or a menu is all that can be used while it is open. */
  const scope = (): Element =>
    [...document.querySelectorAll('[role="dialog"], [role="menu"]')].at(-1) ?? document.body

  /** All that a person can use now. What is only a place to which the focus is moved is none. */
  const controls = (): HTMLElement[] =>
    [...scope().querySelectorAll<HTMLElement>(CONTROLS)].filter(
      (one) =>
        isRendered(one) &&
        !one.matches(':disabled, [aria-hidden="true"]') &&
        one.closest('[inert], [aria-hidden="true"]') === null &&
        (one.matches(NATIVE) || one.tabIndex >= 0),
    )

  const labelsOf = (element: Element): readonly Element[] =>
    element instanceof HTMLInputElement || element instanceof HTMLSelectElement
      ? [...(element.labels ?? [])]
      : []

  /** Is a click on `hit` one on this control? A row opens like the link in it. */
  const isHit = (element: Element, hit: Element | null): boolean => {
    if (hit === null) return false
    if (element.contains(hit) || labelsOf(element).some((label) => label.contains(hit))) return true
    return element.matches('[data-row-link]') && element.closest('tr')?.contains(hit) === true
      ? hit.closest('button, input, label, a') === null
      : false
  }

  const describe = (element: Element): string => {
    const name =
      element.getAttribute('aria-label') ??
      (element.textContent.trim() || element.getAttribute('title')) ??
      ''
    const landmark = element.closest('[role="dialog"], [role="menu"], header, nav, footer, main')
    const { width, height } = element.getBoundingClientRect()
    return `${landmark?.getAttribute('role') ?? landmark?.localName ?? 'page'} ${element.localName}${
      element instanceof HTMLInputElement ? `[${element.type}]` : ''
    }.${(element.getAttribute('class') ?? '').split(' ').at(-1)} "${name.slice(0, 40)}" ${Math.round(width)}\u00d7${Math.round(height)}`
  }
  return { controls, describe, isHit, isRendered, labelsOf, scope }
}

async function install(page: Page): Promise<void> {
  if (await page.evaluate(() => 'checks' in globalThis)) return
  await page.evaluate(`globalThis.checks = (${installed.toString()})()`)
}

/** Controls whose place to press is smaller than this, each way. Links within a sentence may be as high as its line. */
export async function smallTargets(page: Page, least: number): Promise<readonly string[]> {
  await install(page)
  return page.evaluate((px) => {
    const { controls, describe, isHit, labelsOf } = globalThis.checks
    const isInSentence = (element: Element): boolean =>
      element.localName === 'a' &&
      getComputedStyle(element).display === 'inline' &&
      [...(element.parentElement?.childNodes ?? [])].some(
        (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim().length > 1,
      )
    /** From its middle, so far in each direction is still the same control. */
    const isReachedAround = (element: HTMLElement, box: DOMRect): boolean => {
      element.scrollIntoView({ block: 'center' })
      const { left, top, width, height } = element.getBoundingClientRect()
      const at = { x: left + width / 2, y: top + height / 2 }
      const by = px / 2 - 1
      const points = [
        ...(box.width < px
          ? [
              [-by, 0],
              [by, 0],
            ]
          : []),
        ...(box.height < px
          ? [
              [0, -by],
              [0, by],
            ]
          : []),
      ]
      return points.every(([x = 0, y = 0]) => isHit(element, document.elementFromPoint(at.x + x, at.y + y)))
    }
    return controls()
      .filter((element) => {
        // A place that scrolls is no target.
        if (!element.matches('a, button, input, select, textarea, summary, [role]')) return false
        const row = element.matches('[data-row-link]') ? element.closest('tr') : null
        const boxes = [row ?? element, ...labelsOf(element)].map((one) => one.getBoundingClientRect())
        // Fractions of a pixel are none.
        if (boxes.some(({ width, height }) => width > px - 0.5 && height > px - 0.5)) return false
        if (isInSentence(element) || element.className.includes('skip')) return false
        return !isReachedAround(element, boxes[0] ?? new DOMRect())
      })
      .map(describe)
  }, least)
}

/** What is wider than its place: scrolled sideways, or cut off at the edge without a sign of it. */
export async function sideways(page: Page): Promise<readonly string[]> {
  await install(page)
  return page.evaluate(() => {
    const { controls, describe, isRendered, scope } = globalThis.checks
    // A table that is made to be scrolled takes the focus.
    const SCROLLED = '[role="region"][tabindex="0"]'
    const found: string[] = []
    const root = document.documentElement
    if (root.scrollWidth > root.clientWidth) found.push(`page ${root.scrollWidth} > ${root.clientWidth}`)
    for (const element of scope().querySelectorAll<HTMLElement>('*')) {
      const { clientWidth, clientHeight, scrollWidth } = element
      if (!isRendered(element) || Math.min(clientWidth, clientHeight) < 4 || scrollWidth <= clientWidth + 1)
        continue
      const { overflowX, textOverflow } = getComputedStyle(element)
      if (element.matches(SCROLLED)) continue
      if (overflowX === 'auto' || overflowX === 'scroll') found.push(`scrolls: ${describe(element)}`)
      else if (overflowX !== 'visible' && textOverflow !== 'ellipsis' && element.innerText.trim() !== '')
        found.push(`cut off: ${describe(element)}`)
    }
    for (const control of controls()) {
      if (control.closest(SCROLLED) !== null) continue
      const { left, right, width } = control.getBoundingClientRect()
      if (width > 4 && (left < -1 || right > root.clientWidth + 1))
        found.push(`outside: ${describe(control)}`)
    }
    return found
  })
}

/** What covers the element that has the focus; null if nothing does. */
export async function coveredFocus(page: Page): Promise<string | null> {
  await install(page)
  return page.evaluate(async () => {
    const { describe, isHit, labelsOf } = globalThis.checks
    // Less motion is still a frame of it.
    await new Promise(requestAnimationFrame)
    const { activeElement: element } = document
    if (element === null || element === document.body) return 'the focus is nowhere'
    const boxes = [element, ...labelsOf(element)].map((one) => one.getBoundingClientRect())
    // Of what is hidden behind its label, the label.
    const box = boxes.find(({ width, height }) => width > 4 && height > 4) ?? boxes[0] ?? new DOMRect()
    const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)]
    const [right, bottom] = [Math.min(box.right, innerWidth), Math.min(box.bottom, innerHeight)]
    if (right <= left || bottom <= top) return `out of view: ${describe(element)}`
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    if (isHit(element, hit)) return null
    return `${describe(element)} is under ${hit ? describe(hit) : 'nothing'}`
  })
}

const MOST_STOPS = 400
/** A date and its calendar are as many stops of one input. */
const MOST_PARTS = 7

/** Goes through all by Tab: what neither it nor the arrows of its group reach, and what covers the focus. */
export async function keyboardFindings(page: Page): Promise<readonly string[]> {
  const first = await walk(page)
  if (first.length === 0) return first
  // What was drawn again meanwhile is not in the way twice.
  const second = await walk(page)
  return second.filter((finding) => first.includes(finding))
}

async function walk(page: Page): Promise<readonly string[]> {
  await install(page)
  const found = new Set<string>()
  const isMenu = (await page.locator('[role="menu"]').count()) > 0
  await page.evaluate(() => {
    for (const one of document.querySelectorAll('[data-reached]')) one.removeAttribute('data-reached')
    // From the beginning: behind the last control a browser without a window has none of its own.
    if (document.querySelector('[role="dialog"], [role="menu"]') === null)
      globalThis.checks.controls()[0]?.focus()
    document.activeElement?.setAttribute('data-reached', '')
  })
  for (let stop = 0, again = 0; stop < MOST_STOPS && again < MOST_PARTS; stop += 1) {
    await page.keyboard.press(isMenu ? 'ArrowDown' : 'Tab')
    const isAgain = await page.evaluate(() => {
      const { activeElement: element } = document
      if (element === null || element === document.body || element.hasAttribute('data-reached')) return true
      element.setAttribute('data-reached', '')
      return false
    })
    again = isAgain ? again + 1 : 0
    const covered = isAgain ? null : await coveredFocus(page)
    if (covered !== null) found.add(`covered: ${covered}`)
  }
  const missed = await page.evaluate(() => {
    const { controls, describe } = globalThis.checks
    const isReached = (element: HTMLElement): boolean => {
      if (element.hasAttribute('data-reached')) return true
      // The arrows go through a group of choices, and through the rows of the desk, whose controls follow them.
      if (element instanceof HTMLInputElement && element.type === 'radio')
        return document.querySelector(`input[name="${CSS.escape(element.name)}"][data-reached]`) !== null
      return (
        element.closest('[data-desk] tbody')?.querySelector('[data-row-link][data-reached]') instanceof
        Element
      )
    }
    return controls()
      .filter((one) => !isReached(one))
      .map(describe)
  })
  return [...found, ...missed.map((what) => `not reached: ${what}`)]
}
