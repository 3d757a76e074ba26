/** Two pictures side by side: which stands where, and how one follows the other while both are linked. Pure. */
import { EYES } from '../../src-shared/measurement-ranges.ts'
import type { Image } from '../../src-shared/submission.ts'

/** The visible part: its center in widths of the image, and its zoom (1: the image is as wide as the pane). */
export type View = { readonly x: number; readonly y: number; readonly zoom: number }

/** `mirrored`: the two eyes are mirror images, so what is nasal stays nasal: to the right in one, to the left in the other. */
const LINKS = ['off', 'plain', 'mirrored'] as const

export type Link = (typeof LINKS)[number]

/** Both views at the moment at which they were linked: what a person had lined up before stays lined up. */
export type LinkedFrom = { readonly leader: View; readonly follower: View }

/** The view of the follower once the leader has moved to `now`: as far on the screen, by the same factor. */
export function followedView(from: LinkedFrom, now: View, link: Exclude<Link, 'off'>): View {
  const perLeader = from.leader.zoom / from.follower.zoom
  const direction = link === 'mirrored' ? -1 : 1
  return {
    x: from.follower.x + direction * (now.x - from.leader.x) * perLeader,
    y: from.follower.y + (now.y - from.leader.y) * perLeader,
    zoom: from.follower.zoom * (now.zoom / from.leader.zoom),
  }
}

/** The view of the other picture beside this one: the same place of the same eye, or of the other eye. */
export function facingView({ x, y, zoom }: View, link: Link): View {
  return { x: link === 'mirrored' ? 1 - x : x, y, zoom }
}

/** The order of the images: the right eye always left of the left one, an earlier visit left of this one. Pure. */
export type Layout =
  | { readonly kind: 'one' }
  | { readonly kind: 'beside'; readonly otherId: string }
  | { readonly kind: 'earlier' }

export const ALONE: Layout = { kind: 'one' }

/** The image that is shown beside this one at first: of the other eye if there is one, else the next of the same. */
export function besideOf(shown: Image, images: readonly Image[]): Image | null {
  const position = ofSameEye(shown, images).indexOf(shown)
  const other = shown.eye === 'right' ? 'left' : 'right'
  const ofOther = images.filter(({ eye }) => eye === other)
  const counterpart = ofOther[Math.min(position, ofOther.length - 1)]
  if (counterpart && counterpart.id !== shown.id) return counterpart
  const index = images.indexOf(shown)
  return images[index + 1] ?? images[index - 1] ?? null
}

function ofSameEye({ eye }: Image, images: readonly Image[]): readonly Image[] {
  return images.filter((image) => image.eye === eye)
}

/** The images side by side, from the left. Only one if the other no longer exists. */
export function inOrder(shown: Image, other: Image | undefined, images: readonly Image[]): readonly Image[] {
  if (!other || other.id === shown.id) return [shown]
  const rank = (image: Image): number => EYES.indexOf(image.eye) * images.length + images.indexOf(image)
  return [shown, other].toSorted((one, two) => rank(one) - rank(two))
}

/** Another image is chosen while two stand side by side: it takes the place of the one that is shown. */
export function layoutAfterChoice(layout: Layout, shownId: string, chosenId: string): Layout {
  return layout.kind === 'beside' && layout.otherId === chosenId ? { ...layout, otherId: shownId } : layout
}

/** How two images move together unless a person says otherwise: the two eyes mirror one another. */
export function defaultLink([one, other]: readonly Image[]): Exclude<Link, 'off'> {
  return one?.eye === 'right' && other?.eye === 'left' ? 'mirrored' : 'plain'
}
