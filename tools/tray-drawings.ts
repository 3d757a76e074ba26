/**
 * The pictures beside the clock, put together from the parts in `assets/tray.svg`.
 *
 * A state has a shape of its own (an arrow, two bars, a cross, a figure), and a colour in addition. Around the mark the
 * background shows through, so that it is clear on a light and on a dark bar.
 */

const RED = '#c92a2a'
const BLUE = '#1864ab'
const AMBER = '#fcc419'
const WHITE = '#ffffff'
const BLACK = '#000000'
/** Dark enough for a white sign, and light enough for a dark bar. */
const GREY = '#5c636a'

/** The position of a mark, and the gap around it. */
const MARK = { x: 11, y: 11, radius: 5, gap: 1 }
const COUNT_MARK = { x: 10.5, y: 10.5, radius: 5.5, gap: 1 }

const COUNTS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'many'] as const
type Count = (typeof COUNTS)[number]

export type Drawing = {
  /** The name of the file without its size and ending. */
  readonly name: string
  readonly svg: string
}

/** `parts` is the text of `assets/tray.svg`. */
export function trayDrawings(parts: string): {
  readonly tray: readonly Drawing[]
  /** In black, for macOS to tint. */
  readonly templates: readonly Drawing[]
} {
  const draw = (body: string): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${definitionsIn(parts)}${body}</svg>`
  return {
    tray: [
      { name: 'idle', svg: draw(use('fundus')) },
      { name: 'working', svg: draw(marked('fundus', MARK, BLUE, sign('working', WHITE))) },
      { name: 'paused', svg: draw(marked('fundus', MARK, AMBER, sign('paused', BLACK))) },
      { name: 'offline', svg: draw(marked('fundus-grey', MARK, GREY, sign('offline', WHITE))) },
      { name: 'attention', svg: draw(marked('fundus', MARK, RED, sign('attention', WHITE))) },
      ...COUNTS.map((count) => ({
        name: `attention-${count}`,
        svg: draw(marked('fundus', COUNT_MARK, RED, figures(count, COUNT_MARK, 1.15))),
      })),
    ],
    templates: [
      { name: 'idleTemplate', svg: draw(use('fundus-lines')) },
      ...(['working', 'paused', 'offline', 'attention'] as const).map((name) => ({
        name: `${name}Template`,
        svg: draw(cutOut('fundus-plain', MARK, sign(name, BLACK))),
      })),
    ],
  }
}

function definitionsIn(parts: string): string {
  const definitions = /<defs>.*<\/defs>/s.exec(parts)?.[0]
  if (definitions === undefined) throw new Error('assets/tray.svg has no <defs>')
  return definitions
}

type Circle = { readonly x: number; readonly y: number; readonly radius: number }

function use(id: string): string {
  return `<use href="#${id}"/>`
}

function sign(name: string, color: string): string {
  return `<g color="${color}">${use(`sign-${name}`)}</g>`
}

function disc({ x, y, radius }: Circle, color: string): string {
  return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${color}"/>`
}

/** Something with everything inside of `holes` (drawn in black) taken away. */
function without(drawn: string, holes: string): string {
  return `<mask id="rest"><rect width="16" height="16" fill="#fff"/>${holes}</mask><g mask="url(#rest)">${drawn}</g>`
}

type Mark = Circle & { readonly gap: number }

function marked(ground: string, mark: Mark, color: string, onIt: string): string {
  return without(use(ground), disc(around(mark), BLACK)) + disc(mark, color) + onIt
}

/** As `marked`, for one colour: what stands on the mark is a hole in it. */
function cutOut(ground: string, mark: Mark, onIt: string): string {
  const hole = `<mask id="hole"><rect width="16" height="16" fill="#fff"/>${onIt}</mask>`
  return (
    without(use(ground), disc(around(mark), BLACK)) + `${hole}<g mask="url(#hole)">${disc(mark, BLACK)}</g>`
  )
}

function around({ x, y, radius, gap }: Mark): Circle {
  return { x, y, radius: radius + gap }
}

/** A count in white amid a circle, each unit of a figure `scale` wide. */
function figures(count: Count, { x, y }: Circle, scale: number): string {
  const width = 1.15
  const at = (id: string, dx: number, size: number): string =>
    `<g color="${WHITE}" transform="translate(${x + dx} ${y}) scale(${size}) translate(-2 -3)"><g fill="none" stroke="${WHITE}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round">${use(id)}</g></g>`
  if (count !== 'many') return at(`figure-${count}`, 0, scale)
  return at('figure-9', -1.9 * scale * 0.85, scale * 0.85) + at('figure-plus', 2 * scale * 0.85, scale * 0.85)
}
