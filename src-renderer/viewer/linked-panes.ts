/** Keeps two open pictures together while they are linked. */
import { facingView, followedView, type Link, type LinkedFrom } from './linked-view.ts'
import type { ZoomPane } from './zoom-pane.ts'

type Linkable = Pick<ZoomPane, 'view' | 'look' | 'onView' | 'onHandled' | 'onResized'>

export type LinkedPanes<Pane extends Linkable> = {
  /** Answers how to take it away again. */
  readonly add: (id: string, pane: Pane) => () => void
  setLink(link: Link): void
  /** From here on the others follow this one. */
  lead(id: string): void
  /** All together are as they should be: from here on they stay so. */
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
      if (leader) panes.get(followerId)?.look(followedView(from, leader.view(), link))
  }
  return {
    add(id, pane) {
      panes.set(id, pane)
      leaderId ??= id
      const leader = panes.get(leaderId)
      if (leader && leader !== pane && link !== 'off') pane.look(facingView(leader.view(), link))
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
