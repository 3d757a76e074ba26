/** Adjustments of the picture on the screen, as an SVG filter. Pure; the image files are never changed. */

export const CHANNELS = ['colour', 'red', 'green', 'blue'] as const

/** Eye clinics call `green` red-free. A single channel is shown as grey. */
type Channel = (typeof CHANNELS)[number]

export type Adjustments = {
  readonly channel: Channel
  readonly isInverted: boolean
  /** Added to each value: -1 is black, 1 is white. */
  readonly brightness: number
  /** The slope: 1 is neutral. */
  readonly contrast: number
  /** Above 1 brightens dark areas. */
  readonly gamma: number
}

export const LEVELS = ['brightness', 'contrast', 'gamma'] as const

export type Level = (typeof LEVELS)[number]

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

export function hasOtherLevels(adjustments: Adjustments): boolean {
  return LEVELS.some((level) => adjustments[level] !== UNCHANGED[level])
}

export function withoutLevels({ channel, isInverted }: Adjustments): Adjustments {
  return { ...UNCHANGED, channel, isInverted }
}

/** The twenty values of an feColorMatrix: four rows (R, G, B, A) of five. */
export function channelMatrix(channel: Channel): readonly number[] {
  const taken = (['red', 'green', 'blue'] as const).findIndex((one) => one === channel)
  const rows = [0, 1, 2].flatMap((row) =>
    [0, 1, 2, 3, 4].map((column) => (column === (channel === 'colour' ? row : taken) ? 1 : 0)),
  )
  return [...rows, 0, 0, 0, 1, 0]
}

/** One entry per possible channel value, so that nothing is interpolated. */
const VALUES = 256

/** The tableValues of an feComponentTransfer: gamma, contrast around the middle, brightness, then inversion. */
export function transferTable({ isInverted, brightness, contrast, gamma }: Adjustments): readonly number[] {
  return Array.from({ length: VALUES }, (_, index) => {
    const curved = (index / (VALUES - 1)) ** (1 / gamma)
    const level = Math.min(1, Math.max(0, (curved - 0.5) * contrast + 0.5 + brightness))
    const value = Math.round((isInverted ? 1 - level : level) * (VALUES - 1))
    // Browsers truncate to an integer, so each entry is slightly above its value.
    return Math.min(1, Number(((value + 0.3) / (VALUES - 1)).toFixed(6)))
  })
}

const ID = 'viewer-adjustments'

/** Neutral adjustments use no filter, so that each pixel is shown exactly as stored. */
export function filterOf(adjustments: Adjustments): string {
  const { channel, isInverted } = adjustments
  const isNeutral = channel === UNCHANGED.channel && !isInverted && !hasOtherLevels(adjustments)
  return isNeutral ? 'none' : `url("#${ID}")`
}

/** The adjustments as an SVG filter; there is only one viewer, so one filter is enough. */
export function AdjustmentFilter({ adjustments }: { readonly adjustments: Adjustments }) {
  const table = transferTable(adjustments).join(' ')
  return (
    <svg width="0" height="0" aria-hidden focusable="false" style={{ position: 'absolute' }}>
      {/* Without sRGB a filter computes in linear light, and a gamma of 1 would not be neutral. */}
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
