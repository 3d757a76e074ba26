/** Which picture shows a state; `tools/draw-icons.ts` draws them. Pure. */
import type { TrayState } from './tray-state.ts'

/** More than this is drawn as "9+". */
const MAX_DRAWN_COUNT = 9

/**
 * The name of the picture beside the clock, below `assets/tray`.
 *
 * Windows takes the size that it needs out of an `.ico`: of PNG files it would take the smallest and stretch it. macOS
 * tints a picture for a light or dark bar where the name ends in `Template`, and shows the count beside it.
 */
export function trayImage({ mark, attention }: TrayState, platform: NodeJS.Platform): string {
  switch (platform) {
    case 'darwin':
      return `${mark}Template.png`
    case 'win32':
      return `${imageName(mark, attention)}.ico`
    default:
      return `${imageName(mark, attention)}.png`
  }
}

function imageName(mark: TrayState['mark'], attention: number): string {
  return mark === 'attention' && attention > 0 ? `attention-${countName(attention)}` : mark
}

/** The name of the picture laid over the taskbar's button on Windows, below `assets/badge`; null for no badge. */
export function badgeImage(attention: number, scaleFactor: number): string | null {
  if (attention === 0) return null
  // Windows stretches or shrinks the one picture that it is given to 16 pixels at scale 1.
  return `${countName(attention)}-${scaleFactor > 1 ? 32 : 16}.png`
}

function countName(count: number): string {
  return count > MAX_DRAWN_COUNT ? 'many' : String(count)
}
