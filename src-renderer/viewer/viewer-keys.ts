/** What each key means in the viewer. Pure. */
import type { Eye } from '../../src-shared/eye.ts'
import type { Layout } from './panes.ts'

export type ViewerAction =
  | { readonly kind: 'zoomIn' | 'zoomOut' | 'fit' | 'pixels' }
  | { readonly kind: 'pan'; readonly x: -1 | 0 | 1; readonly y: -1 | 0 | 1 }
  | { readonly kind: 'redFree' | 'invert' | 'resetLevels' }
  | { readonly kind: 'beside' | 'earlier' | 'link' | 'mirror' | 'fullScreen' }
  | { readonly kind: 'step'; readonly by: -1 | 1 }
  | { readonly kind: 'assign'; readonly eye: Eye }

const EVERYWHERE: Readonly<Record<string, ViewAction>> = {
  '+': { kind: 'zoomIn' },
  // The key of the plus sign without Shift.
  '=': { kind: 'zoomIn' },
  '-': { kind: 'zoomOut' },
  '0': { kind: 'fit' },
  '1': { kind: 'pixels' },
  arrowleft: { kind: 'pan', x: -1, y: 0 },
  arrowright: { kind: 'pan', x: 1, y: 0 },
  arrowup: { kind: 'pan', x: 0, y: -1 },
  arrowdown: { kind: 'pan', x: 0, y: 1 },
  g: { kind: 'redFree' },
  i: { kind: 'invert' },
  c: { kind: 'resetLevels' },
  s: { kind: 'beside' },
  p: { kind: 'earlier' },
  f: { kind: 'fullScreen' },
  '[': { kind: 'step', by: -1 },
  ']': { kind: 'step', by: 1 },
  // Some keyboards have no brackets of their own.
  pageup: { kind: 'step', by: -1 },
  pagedown: { kind: 'step', by: 1 },
}
/** Of one image alone: the keys that say which eye it is. */
const OF_ONE: Readonly<Record<string, ViewerAction>> = {
  r: { kind: 'assign', eye: 'right' },
  l: { kind: 'assign', eye: 'left' },
  u: { kind: 'assign', eye: 'unknown' },
}
/** Of two: L links them, and no key says which eye, as nobody could tell of which image. */
const OF_TWO: Readonly<Record<string, ViewerAction>> = { l: { kind: 'link' }, m: { kind: 'mirror' } }

/** What changes only the view. */
export type ViewAction = Exclude<ViewerAction, { kind: 'assign' }>

/** What a key asks for; null where it means nothing here. */
export function actionOf(key: string, layout: Layout['kind']): ViewerAction | null {
  const name = key.toLowerCase()
  return EVERYWHERE[name] ?? (layout === 'one' ? OF_ONE : OF_TWO)[name] ?? null
}
