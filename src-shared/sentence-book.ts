/**
 * Translates sentences by their English text, as gettext does: `The {{1}} is missing.` is the key of `Falta:
 * {{1|part}}.` A parameter appears in the translation unchanged, unless its format says otherwise. Pure.
 */

/** The format of a parameter in a translation: unchanged, or `|part`, `|list`, `|sources` or `|said`. */
type Way = 'asItIs' | 'part' | 'list' | 'sources' | 'said'

export type Sentences = {
  readonly sentences: Readonly<Record<string, string>>
  /** Phrases inside sentences: names of fields, of eyes, of file types. */
  readonly parts: Readonly<Record<string, string>>
}

/** A run of a message; `isKnown` if it is a sentence of the book. */
export type Piece = { readonly text: string; readonly isKnown: boolean }

type Template = {
  readonly pattern: RegExp
  /** The number of each parameter, in the order of the English text. */
  readonly numbers: readonly string[]
  readonly endsOpen: boolean
  readonly translation: string
}

type Hit = { readonly length: number; readonly text: string; readonly isAcrossSentences: boolean }

const PARAMETER = /\{\{(\d+)(?:\|(\w+))?\}\}/g
const SENTENCE_END = /[.!?][")»”]?$/
/** A match inside a parameter means that the parameter has swallowed a whole sentence. */
const NEXT_SENTENCE = /[.!?)]\s+[\p{Lu}\p{N}(]/u

export class SentenceBook {
  readonly #exact: ReadonlyMap<string, string>
  readonly #plain: readonly (readonly [string, string])[]
  readonly #templates: readonly Template[]
  readonly #parts: ReadonlyMap<string, string>
  readonly #partTemplates: readonly Template[]

  constructor({ sentences, parts }: Sentences) {
    const all = Object.entries(sentences)
    this.#exact = new Map(all.filter(([english]) => !english.includes('{{')))
    // A title such as "Not found" has no full stop, so it matches only as a whole message.
    this.#plain = [...this.#exact].filter(([english]) => SENTENCE_END.test(english) || english.endsWith(')'))
    // Templates that begin with literal text are more specific than those that begin with a parameter, so they
    // are tried first.
    this.#templates = all
      .filter(([english]) => english.includes('{{'))
      .toSorted(([one], [other]) => Number(one.startsWith('{{')) - Number(other.startsWith('{{')))
      .map(compiled(''))
    this.#parts = new Map(Object.entries(parts))
    this.#partTemplates = Object.entries(parts)
      .filter(([english]) => english.includes('{{'))
      .map(compiled('$'))
  }

  /** Splits a message into translated runs and unknown runs, which stay unchanged. */
  piecesOf(message: string): readonly Piece[] {
    const whole = this.#exact.get(message)
    if (whole !== undefined) return [{ text: whole, isKnown: true }]
    const pieces: Piece[] = []
    let unknown = ''
    const flush = (): void => {
      if (unknown !== '') pieces.push({ text: unknown, isKnown: false })
      unknown = ''
    }
    let rest = message
    while (rest !== '') {
      const hit = this.#bestAt(rest)
      if (hit) {
        flush()
        pieces.push({ text: hit.text, isKnown: true })
        rest = rest.slice(hit.length)
      }
      const skipped = (hit ? /^\s*/ : /^\S*\s*/).exec(rest)?.[0] ?? ''
      unknown += skipped
      rest = rest.slice(skipped.length)
    }
    flush()
    return pieces
  }

  translate(message: string): string {
    return this.piecesOf(message)
      .map(({ text }) => text)
      .join('')
  }

  /**
   * The longest sentence that starts here; a match whose parameter swallows a sentence counts only if nothing else
   * fits.
   */
  #bestAt(rest: string): Hit | null {
    const hits: Hit[] = this.#plain.flatMap(([english, text]) =>
      rest.startsWith(english) && /^(\s|\)|$)/.test(rest.slice(english.length))
        ? [{ length: english.length, text, isAcrossSentences: false }]
        : [],
    )
    for (const template of this.#templates) {
      const hit = this.#hitOf(template, rest)
      if (hit) hits.push(hit)
    }
    const clean = hits.filter(({ isAcrossSentences }) => !isAcrossSentences)
    if (clean.length > 0) return clean.reduce((best, hit) => (hit.length > best.length ? hit : best))
    return hits.reduce<Hit | null>(
      (best, hit) => (best === null || hit.length < best.length ? hit : best),
      null,
    )
  }

  #hitOf(template: Template, text: string): Hit | null {
    const match = template.pattern.exec(text)
    if (!match) return null
    const values = match.slice(1)
    const closed = template.endsOpen ? values.slice(0, -1) : values
    return {
      length: match[0].length,
      text: this.#filled(template, values),
      isAcrossSentences: closed.some((value) => NEXT_SENTENCE.test(value)),
    }
  }

  #filled({ translation, numbers }: Template, values: readonly string[]): string {
    return translation.replaceAll(PARAMETER, (_parameter, number: string, way?: string) =>
      this.#written(values[numbers.indexOf(number)] ?? '', wayOf(way)),
    )
  }

  #written(value: string, way: Way): string {
    switch (way) {
      case 'asItIs':
        return value
      case 'part':
        return this.#part(value)
      case 'list':
        return this.#list(value, (statement) => this.#part(statement))
      case 'sources':
        return this.#list(value, (statement) => statement)
      case 'said':
        return this.translate(value)
    }
  }

  #part(value: string): string {
    const exact = this.#parts.get(value)
    if (exact !== undefined) return exact
    for (const template of this.#partTemplates) {
      const hit = this.#hitOf(template, value)
      if (hit) return hit.text
    }
    return value
  }

  /** Translates `file name: OD, data file: OS`, or a comma-separated list; `show` renders what a source says. */
  #list(value: string, show: (text: string) => string): string {
    return value
      .split(', ')
      .map((item) => {
        const [source = '', ...statements] = item.split(': ')
        const name = this.#parts.get(source)
        if (statements.length === 0) return show(item)
        return name === undefined ? item : `${name}: ${show(statements.join(': '))}`
      })
      .join(', ')
  }
}

function wayOf(way: string | undefined): Way {
  return way === 'part' || way === 'list' || way === 'sources' || way === 'said' ? way : 'asItIs'
}

/** `end` is `$` if the pattern must match the whole text. */
function compiled(end: '$' | ''): (entry: readonly [string, string]) => Template {
  return ([english, translation]) => {
    const literals = english.split(PARAMETER).filter((_text, index) => index % 3 === 0)
    const numbers = [...english.matchAll(PARAMETER)].map(([, number = '']) => number)
    const endsOpen = literals.at(-1) === ''
    const source = literals.map(escaped).reduce((before, literal, index) => {
      const isLast = index === literals.length - 1
      return `${before}${isLast && endsOpen ? '([\\s\\S]+)' : '([\\s\\S]+?)'}${literal}`
    })
    const after = endsOpen || end === '$' ? '$' : '(?=\\s|\\)|$)'
    return { pattern: new RegExp(`^${source}${after}`), numbers, endsOpen, translation }
  }
}

function escaped(literal: string): string {
  return literal.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, String.raw`\$&`)
}
