/** What is done to the picture on the screen, as numbers for an SVG filter. Pure; no pixel of a file is ever changed. */

export const CHANNELS = ['colour', 'red', 'green', 'blue'] as const

/** `green` is what eye clinics call red-free. A single channel is shown as grey. */
type Channel = (typeof CHANNELS)[number]

export type Adjustments = {
  readonly channel: Channel
  readonly isInverted: boolean
  /** Added to each value: -1 is black, 1 is white. */
  readonly brightness: number
  /** How steep: 1 is as it is. */
  readonly contrast: number
  /** Above 1 brightens what is dark. */
  readonly gamma: number
}

export type Level = 'brightness' | 'contrast' | 'gamma'

export const UNCHANGED: Adjustments = {
  channel: 'colour',
  isInverted: false,
  brightness: 0,
  contrast: 1,
  gamma: 1,
}

export const LEVEL_RANGES: Readonly<Record<Level, { readonly min: number; readonly max: number }>> = {
  brightness: { min: -0.5, max: 0.5 },
  contrast: { min: 0.5, max: 3 },
  gamma: { min: 0.4, max: 2.5 },
}

/** A filter that changes nothing is left away, so that each pixel is shown as the file has it. */
export function isUnchanged(adjustments: Adjustments): boolean {
  return adjustments.channel === UNCHANGED.channel && !adjustments.isInverted && !hasOtherLevels(adjustments)
}

/** Is there anything that the reset of brightness, contrast and gamma would take back? */
export function hasOtherLevels({ brightness, contrast, gamma }: Adjustments): boolean {
  return brightness !== UNCHANGED.brightness || contrast !== UNCHANGED.contrast || gamma !== UNCHANGED.gamma
}

export function withoutLevels(adjustments: Adjustments): Adjustments {
  const { brightness, contrast, gamma } = UNCHANGED
  return { ...adjustments, brightness, contrast, gamma }
}

const COLUMNS: Readonly<Record<Exclude<Channel, 'colour'>, number>> = { red: 0, green: 1, blue: 2 }

/** The twenty values of an feColorMatrix: four rows (R, G, B, A) of five. */
export function channelMatrix(channel: Channel): readonly number[] {
  const rows = [0, 1, 2].flatMap((row) => {
    const taken = channel === 'colour' ? row : COLUMNS[channel]
    return [0, 1, 2, 3, 4].map((column) => (column === taken ? 1 : 0))
  })
  return [...rows, 0, 0, 0, 1, 0]
}

/** One entry for each of the 256 values that a channel can have, so that nothing lies between two entries. */
const VALUES = 256

/** The tableValues of an feComponentTransfer: gamma, then contrast around the middle, then brightness, then inversion. */
export function transferTable({ isInverted, brightness, contrast, gamma }: Adjustments): readonly number[] {
  return Array.from({ length: VALUES }, (_, index) => {
    const curved = (index / (VALUES - 1)) ** (1 / gamma)
    const level = Math.min(1, Math.max(0, (curved - 0.5) * contrast + 0.5 + brightness))
    return entryOf(isInverted ? 1 - level : level)
  })
}

/** A browser cuts off what is behind the whole number, so that each entry stands a little above its own. */
function entryOf(level: number): number {
  return Math.min(1, Number(((Math.round(level * (VALUES - 1)) + 0.3) / (VALUES - 1)).toFixed(6)))
}

const ID = 'viewer-adjustments'

/** The style that puts the adjustments over a picture; one that changes nothing is no filter at all. */
export function filterOf(adjustments: Adjustments): string {
  return isUnchanged(adjustments) ? 'none' : `url("#${ID}")`
}

/** The adjustments as a filter that the browser lays over what is drawn; there is one viewer, and so one of it. */
export function AdjustmentFilter({ adjustments }: { readonly adjustments: Adjustments }) {
  const table = transferTable(adjustments).join(' ')
  return (
    <svg width="0" height="0" aria-hidden focusable="false" style={{ position: 'absolute' }}>
      {/* Without sRGB a filter counts in linear light, and a gamma of 1 would not be one. */}
      <filter id={ID} x="0" y="0" width="1" height="1" colorInterpolationFilters="sRGB">
        <feColorMatrix type="matrix" values={channelMatrix(adjustments.channel).join(' ')} />
        <feComponentTransfer>
          <feFuncR type="table" tableValues={table} />
          <feFuncG type="table" tableValues={table} />
          <feFuncB type="table" tableValues={table} />
        </feComponentTransfer>
      </filter>
    </svg>
  )
}
