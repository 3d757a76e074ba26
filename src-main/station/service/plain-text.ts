/** Words of a stranger made fit to be shown: no markup, no invisible characters, one line, bounded. */

/** Nobody reads more; and it bounds the work on an endless page. */
const MAX_INPUT = 65_536

const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', ' '],
  ['gt', ' '],
  ['quot', '"'],
  ['apos', "'"],
  ['#39', "'"],
  ['nbsp', ' '],
])

/** The readable words of a text or a page, at most `maxLength` characters; empty where there are none. */
export function plainText(text: string, maxLength: number): string {
  const plain = withoutScripts(text.slice(0, MAX_INPUT))
    .replace(/<[a-z/!?][^<>]*>?/gi, ' ')
    .replace(/&(#?\w{1,8});/g, (whole, name: string) => ENTITIES.get(name) ?? whole)
    .replace(/[<>]/g, ' ')
    .replace(/[\p{C}\u2028\u2029]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toWellFormed()
  return plain.length <= maxLength ? plain : `${plain.slice(0, maxLength - 1).toWellFormed()}…`
}

/** Whether a body is a web page, whatever its label says; comments may stand before it. */
export function isHtml(text: string): boolean {
  let rest = text.slice(0, MAX_INPUT).trimStart()
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->')
    if (end < 0) return false
    rest = rest.slice(end + 3).trimStart()
  }
  return /^<(?:!doctype html|html|head|body)\b/i.test(rest)
}

function withoutScripts(text: string): string {
  let rest = text
  for (const name of ['script', 'style']) {
    const parts = rest.split(new RegExp(`<${name}\\b`, 'i'))
    rest = parts
      .map((part, index) => {
        if (index === 0) return part
        const end = part.search(new RegExp(`</${name}`, 'i'))
        return end < 0 ? '' : part.slice(end)
      })
      .join(' ')
  }
  return rest
}
