/** Finds English in a page that speaks another language. */
import type { Page } from 'playwright-core'
import { readTexts } from '../../src-renderer/i18n/rooms.ts'

/** Words that no Spanish sentence has, and hardly an English one lacks. */
const ENGLISH_WORDS =
  /\b(the|is|are|was|were|and|of|with|not|this|that|these|has|have|been|by|from|to|in|on|it|for|its|your|you)\b/i

function textsOf(words: unknown): readonly string[] {
  if (typeof words === 'string') return [words]
  return typeof words === 'object' && words !== null ? Object.values(words).flatMap(textsOf) : []
}

const SPANISH = new Set(textsOf(readTexts('es')))
/** Whole texts of the screens that only English has; single words among them, which no list of words could know. */
const ONLY_ENGLISH = new Set(
  textsOf(readTexts('en')).filter((text) => !SPANISH.has(text) && text.trim() !== ''),
)

/**
 * What a person would read or hear on the page as it is now. What the service or the camera wrote stays as it came:
 * quotations, code, the data of a report, and what somebody typed.
 */
async function readable(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const FOREIGN = 'q, pre, code, textarea, iframe, noscript, [lang]:not(html)'
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement
      if (element === null || element.closest(FOREIGN) !== null) continue
      if (element instanceof HTMLScriptElement || element instanceof HTMLStyleElement) continue
      if (!(node instanceof Element)) found.push(node.textContent ?? '')
      else
        for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description'])
          found.push(element.getAttribute(name) ?? '')
    }
    return found.map((text) => text.trim()).filter((text) => text !== '')
  })
}

/** Texts on the page that are English; `isKnown` says which may be. */
export async function englishOn(page: Page, isKnown: (text: string) => boolean): Promise<readonly string[]> {
  const texts = await readable(page)
  return [...new Set(texts)].filter(
    (text) => (ONLY_ENGLISH.has(text) || ENGLISH_WORDS.test(text)) && !isKnown(text),
  )
}
