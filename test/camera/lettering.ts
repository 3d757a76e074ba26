/** Prints words into a picture, with a font of five by seven dots of its own: no font file, the same everywhere. */

const GLYPHS: Readonly<Record<string, readonly string[]>> = {
  C: ['.###.', '#...#', '#....', '#....', '#....', '#...#', '.###.'],
  D: ['####.', '#...#', '#...#', '#...#', '#...#', '#...#', '####.'],
  E: ['#####', '#....', '#....', '####.', '#....', '#....', '#####'],
  H: ['#...#', '#...#', '#...#', '#####', '#...#', '#...#', '#...#'],
  I: ['.###.', '..#..', '..#..', '..#..', '..#..', '..#..', '.###.'],
  N: ['#...#', '##..#', '#.#.#', '#..##', '#...#', '#...#', '#...#'],
  O: ['.###.', '#...#', '#...#', '#...#', '#...#', '#...#', '.###.'],
  S: ['.####', '#....', '#....', '.###.', '....#', '....#', '####.'],
  T: ['#####', '..#..', '..#..', '..#..', '..#..', '..#..', '..#..'],
  Y: ['#...#', '#...#', '.#.#.', '..#..', '..#..', '..#..', '..#..'],
}

/** A letter and the gap after it, dots. */
const ADVANCE = 6
export const LETTER_HEIGHT = 7

/** Prints with the upper left corner at x, y; `dot` is the size of a dot in pixels. Only letters of the font. */
export function printWord(
  pixels: Uint8Array,
  width: number,
  word: string,
  place: { readonly x: number; readonly y: number; readonly dot: number; readonly brightness: number },
): void {
  for (const [position, letter] of Array.from(word).entries()) {
    const glyph = GLYPHS[letter]
    if (!glyph) throw new Error(`The font has no ${letter}.`)
    for (const [row, line] of glyph.entries())
      for (const [column, mark] of Array.from(line).entries()) {
        if (mark === '#') fillDot(pixels, width, place, position * ADVANCE + column, row)
      }
  }
}

function fillDot(
  pixels: Uint8Array,
  width: number,
  place: { readonly x: number; readonly y: number; readonly dot: number; readonly brightness: number },
  column: number,
  row: number,
): void {
  const left = place.x + column * place.dot
  for (let y = place.y + row * place.dot; y < place.y + (row + 1) * place.dot; y += 1) {
    const start = (y * width + left) * 3
    pixels.fill(place.brightness, start, start + place.dot * 3)
  }
}
