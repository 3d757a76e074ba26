/** Adjustments of the picture on the screen, as CSS filters. Pure; the image files are never changed. */

export type Adjustments = {
  /** The green channel in grey. */
  readonly isRedFree: boolean
  readonly isInverted: boolean
  /** Factors: 1 is neutral. */
  readonly brightness: number
  readonly contrast: number
}

export const LEVELS = ['brightness', 'contrast'] as const

export type Level = (typeof LEVELS)[number]

const LEVEL_BASE = 3

/** A slider rests in its middle: as far up as down it goes from the neutral factor. */
export const levelOf = (power: number): number => LEVEL_BASE ** power

export const powerOf = (level: number): number => Math.log(level) / Math.log(LEVEL_BASE)

export const UNCHANGED: Adjustments = { isRedFree: false, isInverted: false, brightness: 1, contrast: 1 }

export function hasOtherLevels(adjustments: Adjustments): boolean {
  return LEVELS.some((level) => adjustments[level] !== UNCHANGED[level])
}

const ID = 'viewer-red-free'

/** Neutral adjustments use no filter, so that each pixel is shown exactly as stored. */
export function filterOf({ isRedFree, isInverted, brightness, contrast }: Adjustments): string {
  const filters = [
    isRedFree && `url("#${ID}")`,
    brightness !== 1 && `brightness(${brightness})`,
    contrast !== 1 && `contrast(${contrast})`,
    isInverted && 'invert(1)',
  ].filter((filter) => filter !== false)
  return filters.length === 0 ? 'none' : filters.join(' ')
}

/** Red, green and blue of the green channel, and its own opacity. */
const GREEN_AS_GREY = '0 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 0 0 1 0'

/** The filter that CSS has no function for; there is only one viewer. */
export function RedFreeFilter() {
  return (
    <svg width="0" height="0" aria-hidden focusable="false" style={{ position: 'absolute' }}>
      {/* Without sRGB a filter computes in linear light. */}
      <filter id={ID} x="0" y="0" width="1" height="1" colorInterpolationFilters="sRGB">
        <feColorMatrix type="matrix" values={GREEN_AS_GREY} />
      </filter>
    </svg>
  )
}
