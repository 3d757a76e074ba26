import { useEffect, useRef, useState, type RefObject } from 'react'
import { BytesUnavailable } from '../link/station-link.ts'
import { useSession } from '../store/use-station.ts'
import { openPicture, type OpenPicture } from './open-picture.ts'
import { openZoomPane, type ZoomPane } from './zoom-pane.ts'

export type PictureState = 'loading' | 'drawing' | 'drawn' | 'unavailable' | 'unreadable'

export type ShownPicture = {
  readonly hostRef: RefObject<HTMLDivElement | null>
  readonly state: PictureState
  /** Pixels of the screen to one of the image; null before anything is shown. */
  readonly scale: number | null
}

/** Opens the whole image in its host while the component is there, and gives back all that it took. */
export function usePicture(id: string, onPane: (id: string, pane: ZoomPane) => () => void): ShownPicture {
  const session = useSession()
  const hostRef = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<PictureState>('loading')
  const [scale, setScale] = useState<number | null>(null)
  useEffect(() => {
    const gone = new AbortController()
    const { signal } = gone
    const closings: (() => void)[] = []
    const show = (host: HTMLElement, picture: OpenPicture): void => {
      setState('drawing')
      const close = openZoomPane({
        host,
        picture,
        isMotionReduced: matchMedia('(prefers-reduced-motion: reduce)').matches,
        onScale: setScale,
        onOpen: (pane) => closings.unshift(onPane(id, pane)),
        onDrawn: () => setState('drawn'),
      })
      closings.push(close)
    }
    const open = async (): Promise<void> => {
      try {
        const blob = await session.link.readBytes('image', id)
        const host = hostRef.current
        if (signal.aborted || host === null) return
        const picture = await openPicture(blob, signal)
        if (signal.aborted) return
        if (picture === null) setState('unreadable')
        else show(host, picture)
      } catch (error) {
        if (!(error instanceof BytesUnavailable)) throw error
        if (!signal.aborted) setState('unavailable')
      }
    }
    void open()
    return () => {
      gone.abort()
      for (const close of closings) close()
    }
  }, [session, id, onPane])
  return { hostRef, state, scale }
}
