/** Draws that a seed decides, and a note of those that make a convention's variant. */
import { type Random, randomFrom } from '../camera/random.ts'

/** A seed for the part of a run with this number; neighbours share nothing. */
export function seedOf(seed: number, part: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(part + 1, 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39)
  return (mixed ^ (mixed >>> 15)) >>> 0
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const HEX = '0123456789abcdef'

export class Draw {
  readonly #random: Random
  #variant = ''

  constructor(seed: number) {
    this.#random = randomFrom(seed)
  }

  /** The choices made by `style`, in their order. */
  get variant(): string {
    return this.#variant
  }

  /** A whole number, both ends included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.#random() * (high - low + 1))
  }

  chance(probability: number): boolean {
    return this.#random() < probability
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#random() * values.length)]!
  }

  /** A choice that a clinic makes once and stays with. */
  style<Value>(values: readonly Value[]): Value {
    const index = Math.floor(this.#random() * values.length)
    this.#variant += index < 10 ? String(index) : `(${index})`
    return values[index]!
  }

  /** So many digits, the first not zero; 121212 and 123123 are what people write who know no number. */
  digits(count: number): string {
    for (;;) {
      let text = String(1 + Math.floor(this.#random() * 9))
      for (let rest = count - 1; rest > 0; rest -= 1) text += Math.floor(this.#random() * 10)
      if (count < 6 || !/^(\d{1,3})\1+$/.test(text)) return text
    }
  }

  letters(count: number): string {
    return this.#characters(LETTERS, count)
  }

  hex(count: number): string {
    return this.#characters(HEX, count)
  }

  uuid(): string {
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-a${this.hex(3)}-${this.hex(12)}`
  }

  #characters(alphabet: string, count: number): string {
    let text = ''
    for (let rest = count; rest > 0; rest -= 1) text += alphabet[Math.floor(this.#random() * alphabet.length)]
    return text
  }
}
