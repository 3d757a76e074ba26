/**
 * Splits TypeScript into what people read: names, comments, and quoted texts.
 *
 * A scanner of a hundred lines and no parser, because the compiler of this line has no interface for programs and the
 * house rules need no syntax tree. It errs on one side only: a regular expression may be read as code.
 */

/** A piece of a source file and the line, from 1, on which it begins. */
export type Piece = {
  readonly kind: 'name' | 'comment' | 'text'
  readonly value: string
  readonly line: number
}

const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy
/** After these a slash begins a regular expression and does not divide. */
const BEFORE_PATTERN = /(?:[(,=:[!&|?{};\n]|=>|\breturn)\s*$/

/** The names, comments and quoted texts of a source file, in their order. Template expressions are read as code. */
export function piecesOf(code: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  let line = 1
  /** Depth of braces at which each open template goes on. */
  const templates: number[] = []
  let depth = 0

  const take = (kind: Piece['kind'], end: number, value: string): void => {
    if (value !== '') pieces.push({ kind, value, line })
    skipTo(end)
  }
  const skipTo = (end: number): void => {
    for (let index = at; index < end; index += 1) if (code[index] === '\n') line += 1
    at = end
  }
  const endOf = (text: string, from: number): number => {
    const found = code.indexOf(text, from)
    return found === -1 ? code.length : found + text.length
  }
  const takeTemplate = (): void => {
    let end = at
    while (end < code.length && code[end] !== '`' && !code.startsWith('${', end))
      end += code[end] === '\\' ? 2 : 1
    const isOver = code[end] !== '$'
    take('text', Math.min(code.length, end + (isOver ? 1 : 2)), code.slice(at, end))
    if (isOver) return
    depth += 1
    templates.push(depth)
  }

  while (at < code.length) {
    const char = code[at] ?? ''
    if (code.startsWith('//', at)) {
      const end = endOf('\n', at) - 1
      take('comment', Math.max(end, at + 2), code.slice(at + 2, Math.max(end, at + 2)))
    } else if (code.startsWith('/*', at)) {
      const end = endOf('*/', at + 2)
      take('comment', end, code.slice(at + 2, end - 2))
    } else if (char === "'" || char === '"') {
      let end = at + 1
      while (end < code.length && code[end] !== char && code[end] !== '\n') end += code[end] === '\\' ? 2 : 1
      take('text', end + 1, code.slice(at + 1, end))
    } else if (char === '`') {
      at += 1
      takeTemplate()
    } else if (char === '/' && BEFORE_PATTERN.test(code.slice(Math.max(0, at - 12), at))) {
      skipTo(endOfPattern(code, at))
    } else if (char === '{') {
      depth += 1
      at += 1
    } else if (char === '}') {
      const isTemplate = templates.at(-1) === depth
      depth -= 1
      at += 1
      if (isTemplate) {
        templates.pop()
        takeTemplate()
      }
    } else {
      NAME.lastIndex = at
      const [name] = NAME.exec(code) ?? []
      if (name === undefined) skipTo(at + 1)
      else take('name', at + name.length, name)
    }
  }
  return pieces
}

function endOfPattern(code: string, start: number): number {
  let isInClass = false
  for (let index = start + 1; index < code.length; index += 1) {
    const char = code[index]
    if (char === '\n') return start + 1
    if (char === '\\') index += 1
    else if (char === '[') isInClass = true
    else if (char === ']') isInClass = false
    else if (char === '/' && !isInClass) return index + 1
  }
  return start + 1
}

/** The parts of a name in lower case: `openCameraSide` and `open-camera-side` are both open, camera, side. */
export function partsOf(name: string): string[] {
  return name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\d]+/u)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase())
}
