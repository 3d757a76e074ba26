/** The state of the open viewer, and its linked panes. */
import { type RefObject, useEffect, useState } from 'react'
import { type Eye, EYES } from '../../src-shared/measurement-ranges.ts'
import type { Image } from '../../src-shared/submission.ts'
import { UNCHANGED } from './adjustments.tsx'
import type { View, ZoomPane } from './zoom-pane.ts'

/** Moves two open pictures together while they are linked. */
export function createLinkedPanes<Pane extends Pick<ZoomPane, 'view' | 'moveTo' | 'on'>>() {
  const panes = new Map<string, Pane>()
  let link: Link = 'off'
  let leaderId: string | null = null
  let aligned = new Map<string, LinkedFrom>()

  /** Links the panes as they are now. */
  const align = (): void => {
    const leader = leaderId === null ? null : panes.get(leaderId)
    aligned = new Map()
    if (!leader) return
    for (const [id, pane] of panes)
      if (pane !== leader) aligned.set(id, { leader: leader.view(), follower: pane.view() })
  }
  const lead = (id: string): void => {
    if (id === leaderId) return
    leaderId = id
    align()
  }
  const follow = (id: string): void => {
    if (link === 'off' || id !== leaderId) return
    const leader = panes.get(id)
    for (const [followerId, from] of aligned)
      if (leader) panes.get(followerId)?.moveTo(followedView(from, leader.view(), link))
  }
  return {
    /** Adds a pane until `gone` is aborted. */
    add: (id: string, pane: Pane, gone: AbortSignal): void => {
      panes.set(id, pane)
      leaderId ??= id
      const leader = panes.get(leaderId)
      if (leader && leader !== pane && link !== 'off') {
        const view = leader.view()
        // The same place of the same eye, or of the other one.
        pane.moveTo(link === 'mirrored' ? { ...view, x: 1 - view.x } : view)
      }
      align()
      pane.on('view', () => follow(id), gone)
      pane.on('handled', () => lead(id), gone)
      pane.on('resized', align, gone)
      const remove = (): void => {
        if (panes.get(id) !== pane) return
        panes.delete(id)
        if (leaderId === id) leaderId = panes.keys().next().value ?? null
        align()
      }
      gone.addEventListener('abort', remove, { once: true })
    },
    setLink: (to: Link): void => {
      link = to
      align()
    },
    lead,
    align,
    get: (id: string): Pane | null => panes.get(id) ?? null,
    all: (): readonly Pane[] => [...panes.values()],
  }
}

const PER_STEP = 1.25
const PAN_PIXELS = 60

export function useView(
  image: Image,
  images: readonly Image[],
  onShow: (id: string) => void,
  whole: RefObject<HTMLElement | null>,
) {
  const [adjustments, adjust] = useState(UNCHANGED)
  const [wanted, setLayout] = useState<Layout>(ALONE)
  const [chosenLink, setLink] = useState<Link | null>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const [linked] = useState(() => createLinkedPanes<ZoomPane>())

  const other = wanted.kind === 'beside' ? images.find(({ id }) => id === wanted.otherId) : undefined
  /** The images of this case that are shown, from the left. */
  const shown = inOrder(image, other, images)
  // The other image may have been moved to another case.
  const layout = wanted.kind === 'beside' && shown.length === 1 ? ALONE : wanted
  // The two eyes mirror one another.
  const isBothEyes = shown[0]?.eye === 'right' && shown[1]?.eye === 'left'
  const usual = layout.kind === 'beside' && isBothEyes ? 'mirrored' : 'plain'
  /** How panes side by side move together; `off` for a single one. */
  const link = layout.kind === 'one' ? 'off' : (chosenLink ?? usual)
  useEffect(() => linked.setLink(link), [linked, link])
  const activeId = layout.kind === 'earlier' && focused !== null ? focused : image.id

  const choose = (id: string): void => {
    // What was beside it, if that is chosen, takes its place.
    if (layout.kind === 'beside' && layout.otherId === id) setLayout({ ...layout, otherId: image.id })
    else setLayout(layout)
    setFocused(null)
    onShow(id)
  }
  const activate = (id: string): void => {
    if (layout.kind === 'earlier') setFocused(id)
    else if (id !== image.id) choose(id)
    linked.lead(id)
  }
  const changeLayout = (next: Layout): void => {
    setLayout(next)
    setFocused(null)
    setLink(null)
  }
  const onAll = (act: (pane: ZoomPane) => void): void => {
    const active = linked.get(activeId)
    for (const pane of link === 'off' && active ? [active] : linked.all()) act(pane)
    linked.align()
  }
  const onActive = (act: (pane: ZoomPane) => void): void => {
    linked.lead(activeId)
    const pane = linked.get(activeId)
    if (pane) act(pane)
  }
  const run = (action: ViewAction): void => {
    switch (action.kind) {
      case 'fit':
        return onAll((pane) => pane.fit())
      case 'pixels':
        return onAll((pane) => pane.showPixels())
      case 'zoomIn':
        return onActive((pane) => pane.zoomBy(PER_STEP))
      case 'zoomOut':
        return onActive((pane) => pane.zoomBy(1 / PER_STEP))
      case 'pan':
        return onActive((pane) => pane.panBy(action.x * PAN_PIXELS, action.y * PAN_PIXELS))
      case 'redFree':
        return adjust({ ...adjustments, isRedFree: !adjustments.isRedFree })
      case 'invert':
        return adjust({ ...adjustments, isInverted: !adjustments.isInverted })
      case 'resetLevels':
        return adjust({ ...adjustments, brightness: UNCHANGED.brightness, contrast: UNCHANGED.contrast })
      case 'beside': {
        const beside = layout.kind === 'beside' ? null : besideOf(image, images)
        return changeLayout(beside ? { kind: 'beside', otherId: beside.id } : ALONE)
      }
      case 'earlier':
        return changeLayout(layout.kind === 'earlier' ? ALONE : { kind: 'earlier' })
      case 'link':
        return setLink(link === 'off' ? usual : 'off')
      case 'mirror':
        return setLink(link === 'mirrored' ? 'plain' : 'mirrored')
      case 'step': {
        const next = images[images.indexOf(image) + action.by]
        return next && choose(next.id)
      }
      case 'fullScreen':
        return toggleFullScreen(whole.current)
    }
  }
  return { layout, link, adjustments, shown, activeId, linked, adjust, choose, activate, run }
}

export type ViewerView = ReturnType<typeof useView>

function toggleFullScreen(element: HTMLElement | null): void {
  // If the browser refuses, the viewer stays as large as the window.
  const change = document.fullscreenElement ? document.exitFullscreen() : element?.requestFullscreen()
  change?.catch(() => undefined)
}

type ViewerAction =
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
  v: { kind: 'earlier' },
  f: { kind: 'fullScreen' },
  '[': { kind: 'step', by: -1 },
  ']': { kind: 'step', by: 1 },
  // Some keyboards have no bracket keys.
  pageup: { kind: 'step', by: -1 },
  pagedown: { kind: 'step', by: 1 },
}

const OF_ONE: Readonly<Record<string, ViewerAction>> = {
  r: { kind: 'assign', eye: 'right' },
  l: { kind: 'assign', eye: 'left' },
  u: { kind: 'assign', eye: 'unknown' },
}

/** For two images: K links them, and no key assigns an eye, because it would be unclear to which image. */
const OF_TWO: Readonly<Record<string, ViewerAction>> = { k: { kind: 'link' }, m: { kind: 'mirror' } }

export type ViewAction = Exclude<ViewerAction, { kind: 'assign' }>

export function actionOf(key: string, layout: Layout['kind']): ViewerAction | null {
  const name = key.toLowerCase()
  return EVERYWHERE[name] ?? (layout === 'one' ? OF_ONE : OF_TWO)[name] ?? null
}

/** `mirrored`: the two eyes are mirror images, so what is nasal stays nasal: to the right in one, to the left in the other. */
export type Link = 'off' | 'plain' | 'mirrored'

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

/** The order of the images: the right eye always left of the left one, an earlier visit left of this one. Pure. */
type Layout =
  | { readonly kind: 'one' }
  | { readonly kind: 'beside'; readonly otherId: string }
  | { readonly kind: 'earlier' }

const ALONE: Layout = { kind: 'one' }

/** The image that is shown beside this one at first: of the other eye if there is one, else the next of the same. */
export function besideOf(shown: Image, images: readonly Image[]): Image | null {
  const position = images.filter(({ eye }) => eye === shown.eye).indexOf(shown)
  const other = shown.eye === 'right' ? 'left' : 'right'
  const ofOther = images.filter(({ eye }) => eye === other)
  const counterpart = ofOther[Math.min(position, ofOther.length - 1)]
  if (counterpart && counterpart.id !== shown.id) return counterpart
  const index = images.indexOf(shown)
  return images[index + 1] ?? images[index - 1] ?? null
}

/** The images side by side, from the left. Only one if the other no longer exists. */
export function inOrder(shown: Image, other: Image | undefined, images: readonly Image[]): readonly Image[] {
  if (!other || other.id === shown.id) return [shown]
  const rank = (image: Image): number => EYES.indexOf(image.eye) * images.length + images.indexOf(image)
  return [shown, other].toSorted((one, two) => rank(one) - rank(two))
}
