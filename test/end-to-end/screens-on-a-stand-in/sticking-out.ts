/** What is wider than the block, row or dialog that it stands in, as longer words of another language are. */
import type { Page } from 'playwright-core'

/** One line for each thing that sticks out at the right, with its words; none where everything fits. */
export function stickingOut(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const BLOCKS = 'section, article, fieldset, td, li, [role="dialog"], [role="menu"], main'
    const THINGS = 'button, input, select, textarea, a, p, span, strong, h1, h2, h3, dd, dt, label, img'
    /** Whatever is cut off or scrolled on the way to the block is meant to be. */
    const isCutOff = (thing: Element, block: Element): boolean => {
      for (let around = thing.parentElement; around && around !== block; around = around.parentElement)
        if (getComputedStyle(around).overflowX !== 'visible') return true
      return false
    }
    const found: string[] = []
    for (const thing of document.querySelectorAll<HTMLElement>(THINGS)) {
      const block = thing.parentElement?.closest(BLOCKS)
      const { right, width, height } = thing.getBoundingClientRect()
      // What is for screen readers only is a pixel wide.
      if (!block || width < 2 || height < 2 || !thing.checkVisibility({ visibilityProperty: true })) continue
      if (right <= block.getBoundingClientRect().right + 1 || isCutOff(thing, block)) continue
      const words = thing.innerText || thing.getAttribute('aria-label') || thing.id
      found.push(`sticks out: ${thing.tagName.toLowerCase()} “${words.slice(0, 60)}”`)
    }
    return found
  })
}
