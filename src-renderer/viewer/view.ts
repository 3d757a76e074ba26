/** The state of the open viewer, and its linked panes. */
import { type RefObject, useEffect, useState } from 'react'
import type { Image } from '../../src-shared/submission.ts'
import { type Adjustments, UNCHANGED, withoutLevels } from './adjustments.tsx'
import {
  ALONE,
  besideOf,
  defaultLink,
  facingView,
  followedView,
  inOrder,
  type Layout,
  layoutAfterChoice,
  type Link,
  type LinkedFrom,
} from './side-by-side.ts'
import type { ViewAction } from './viewer-tools.tsx'
import type { ZoomPane } from './zoom-pane.ts'

type Linkable = Pick<ZoomPane, 'view' | 'moveTo' | 'onView' | 'onHandled' | 'onResized'>

/** Moves two open pictures together while they are linked. */
type LinkedPanes<Pane extends Linkable> = {
  /** Returns the function that removes it. */
  readonly add: (id: string, pane: Pane) => () => void
  setLink(link: Link): void
  /** Makes the others follow this one. */
  lead(id: string): void
  /** Links the panes as they are now. */
  align(): void
  get(id: string): Pane | null
  all(): readonly Pane[]
}

export function createLinkedPanes<Pane extends Linkable>(): LinkedPanes<Pane> {
  const panes = new Map<string, Pane>()
  let link: Link = 'off'
  let leaderId: string | null = null
  let aligned = new Map<string, LinkedFrom>()

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
    add(id, pane) {
      panes.set(id, pane)
      leaderId ??= id
      const leader = panes.get(leaderId)
      if (leader && leader !== pane && link !== 'off') pane.moveTo(facingView(leader.view(), link))
      align()
      const stops = [pane.onView(() => follow(id)), pane.onHandled(() => lead(id)), pane.onResized(align)]
      return () => {
        for (const stop of stops) stop()
        if (panes.get(id) !== pane) return
        panes.delete(id)
        if (leaderId === id) leaderId = panes.keys().next().value ?? null
        align()
      }
    },
    setLink(to) {
      link = to
      align()
    },
    lead,
    align,
    get: (id) => panes.get(id) ?? null,
    all: () => [...panes.values()],
  }
}

export type ViewerView = {
  readonly layout: Layout
  /** How panes side by side move together; `off` for a single one. */
  readonly link: Link
  readonly adjustments: Adjustments
  /** The images of this case that are shown, from the left. */
  readonly shown: readonly Image[]
  /** The image that the keys move. */
  readonly activeId: string
  readonly linked: LinkedPanes<ZoomPane>
  readonly adjust: (adjustments: Adjustments) => void
  /** Shows another image of this case instead of the active one. */
  readonly choose: (id: string) => void
  readonly activate: (id: string) => void
  readonly run: (action: ViewAction) => void
}

const PER_STEP = 1.25
const PAN_PIXELS = 60

export function useView(
  image: Image,
  images: readonly Image[],
  onShow: (id: string) => void,
  whole: RefObject<HTMLElement | null>,
): ViewerView {
  const [adjustments, adjust] = useState(UNCHANGED)
  const [wanted, setLayout] = useState<Layout>(ALONE)
  const [chosenLink, setLink] = useState<Link | null>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const [linked] = useState(() => createLinkedPanes<ZoomPane>())

  const other = wanted.kind === 'beside' ? images.find(({ id }) => id === wanted.otherId) : undefined
  const shown = inOrder(image, other, images)
  // The other image may have been moved to another case.
  const layout = wanted.kind === 'beside' && shown.length === 1 ? ALONE : wanted
  const usual = layout.kind === 'beside' ? defaultLink(shown) : 'plain'
  const link = layout.kind === 'one' ? 'off' : (chosenLink ?? usual)
  useEffect(() => linked.setLink(link), [linked, link])
  const activeId = layout.kind === 'earlier' && focused !== null ? focused : image.id

  const choose = (id: string): void => {
    setLayout(layoutAfterChoice(layout, image.id, id))
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
  const run: ViewerView['run'] = (action) => {
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
        return adjust({ ...adjustments, channel: adjustments.channel === 'green' ? 'colour' : 'green' })
      case 'invert':
        return adjust({ ...adjustments, isInverted: !adjustments.isInverted })
      case 'resetLevels':
        return adjust(withoutLevels(adjustments))
      case 'beside': {
        const beside = besideOf(image, images)
        return changeLayout(
          layout.kind === 'beside' || !beside ? ALONE : { kind: 'beside', otherId: beside.id },
        )
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

function toggleFullScreen(element: HTMLElement | null): void {
  // If the browser refuses, the viewer stays as large as the window.
  const change = document.fullscreenElement ? document.exitFullscreen() : element?.requestFullscreen()
  change?.catch(() => undefined)
}
