/**
 * What neither a sandbox nor a policy reaches: a `link` opens connections ahead of any request, a `base` and a `meta`
 * speak for the whole page. The others could do nothing in a sealed frame and only leave holes in the report.
 */
const UNWANTED = 'base, embed, frame, frameset, iframe, link, meta, object, script, template'

/**
 * A page without what is not for reading. A link is a text: followed, it would take the report's place. That holds for
 * one within the page, too, since a page that was written into a frame has the address of the window.
 */
export function plainHtml(html: string): string {
  // Read into a document of its own, where nothing is run or fetched.
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const element of page.querySelectorAll(UNWANTED)) element.remove()
  for (const link of page.querySelectorAll('a, area'))
    for (const name of ['href', 'xlink:href']) link.removeAttribute(name)
  return page.documentElement.outerHTML
}
