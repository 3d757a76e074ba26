/** How one picture follows the other when both are linked. Pure. */

/** Where a viewer looks: its center in widths of the image, and its zoom (1: the image is as wide as the pane). */
export type View = { readonly x: number; readonly y: number; readonly zoom: number }

/** `mirrored`: the two eyes are mirror images, so what is nasal stays nasal: to the right in one, to the left in the other. */
export const LINKS = ['off', 'plain', 'mirrored'] as const
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

/** Where the other picture looks when it is laid beside this one: at the same place of the same eye, or of the other. */
export function facingView({ x, y, zoom }: View, link: Link): View {
  return { x: link === 'mirrored' ? 1 - x : x, y, zoom }
}
