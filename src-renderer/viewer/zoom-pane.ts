/** One picture in OpenSeadragon: zoomed to the pointer, drawn without smoothing at 1:1 and above. */
import { type ImageJob, Point, TileSource, Viewer } from 'openseadragon'
import {
  levelsOf,
  type PictureRequest,
  type PictureResponse,
  type Size,
  TILE_OVERLAP,
  TILE_SIZE,
} from './pyramid.ts'
// oxlint-disable-next-line import/default -- Vite makes this module, with a worker as its default
import PictureWorker from './picture-worker.ts?worker'

/** The visible part: its center in widths of the image, and its zoom (1: the image is as wide as the pane). */
export type View = { readonly x: number; readonly y: number; readonly zoom: number }

/**
 * `view`: after each change of the view, however it came. `handled`: a person begins to move this picture by pointer,
 * wheel or finger. `resized`: after the pane itself became larger or smaller.
 */
type PaneEvent = 'view' | 'handled' | 'resized'

export type ZoomPane = {
  fit(): void
  /** One pixel of the image on one pixel of the screen. */
  showPixels(): void
  zoomBy(factor: number): void
  /** In pixels of the page. */
  panBy(x: number, y: number): void
  view(): View
  moveTo(view: View): void
  on(event: PaneEvent, listener: () => void, signal: AbortSignal): void
}

type ZoomPaneOptions = {
  readonly host: HTMLElement
  readonly picture: OpenPicture
  /** Pixels of the screen to one pixel of the image; called at once and after each change. */
  readonly onScale: (scale: number) => void
  readonly onOpen: (pane: ZoomPane) => void
  readonly onDrawn: () => void
  /** Closes it. */
  readonly signal: AbortSignal
}

const MIN_ZOOM_OF_FIT = 0.5
const MAX_SCREEN_PIXELS = 16
const PER_WHEEL_STEP = 1.25
const GLIDE_SECONDS = 0.25

/** Beside a whole number of screen pixels to one of the image, nothing is smoothed. */
const EPSILON = 1e-3

export function openZoomPane(options: ZoomPaneOptions): void {
  const { host, picture, onScale, onOpen, onDrawn, signal } = options
  const isMotionReduced = matchMedia('(prefers-reduced-motion: reduce)').matches
  const viewer = new Viewer({
    element: host,
    drawer: 'canvas',
    showNavigationControl: false,
    keyboardNavEnabled: false,
    tabIndex: -1,
    animationTime: isMotionReduced ? 0 : GLIDE_SECONDS,
    springStiffness: 8,
    blendTime: 0,
    zoomPerScroll: PER_WHEEL_STEP,
    visibilityRatio: 0.3,
    minZoomImageRatio: MIN_ZOOM_OF_FIT,
    maxZoomPixelRatio: MAX_SCREEN_PIXELS,
    minPixelRatio: 0.5,
    smoothTileEdgesMinZoom: Number.POSITIVE_INFINITY,
    gestureSettingsMouse: { clickToZoom: false, dblClickToZoom: false, flickEnabled: false },
    gestureSettingsTouch: { flickEnabled: false },
  })
  const { viewport } = viewer
  const events = new EventTarget()
  const emit = (event: PaneEvent): boolean => events.dispatchEvent(new Event(event))
  const scale = (): number => viewport.viewportToImageZoom(viewport.getZoom(true)) * devicePixelRatio
  let isSmooth = true
  /** The whole image stays in sight when the pane changes its size. */
  let isFitted = true
  let isResized = false
  const handleViewChange = (): void => {
    if (viewer.world.getItemCount() === 0) return
    if (isResized && isFitted) viewport.goHome(true)
    const now = scale()
    if (isSmooth !== now < 1 - EPSILON) {
      isSmooth = !isSmooth
      viewer.drawer.setImageSmoothingEnabled(isSmooth)
    }
    isFitted = Math.abs(viewport.getZoom(true) / viewport.getHomeZoom() - 1) < EPSILON
    onScale(now)
    emit(isResized ? 'resized' : 'view')
    isResized = false
  }
  /** Puts the pixels of the image onto those of the screen; half a pixel beside, some would be drawn twice. */
  const snap = (): void => {
    if (Math.abs(scale() - 1) > EPSILON) return
    const corner = viewport.pixelFromPoint(new Point(0, 0), true)
    const beside = new Point(awayFromPixel(corner.x), awayFromPixel(corner.y))
    if (Math.hypot(beside.x, beside.y) < EPSILON) return
    viewport.panBy(viewport.deltaPointsFromPixels(beside, true), true)
  }
  viewer.addHandler('viewport-change', handleViewChange)
  viewer.addHandler('animation-finish', snap)
  for (const touch of ['canvas-press', 'canvas-scroll', 'canvas-pinch'] as const)
    viewer.addHandler(touch, () => emit('handled'))
  viewer.addHandler('resize', () => {
    isResized = true
  })
  viewer.addHandler('fully-loaded-change', ({ fullyLoaded }) => fullyLoaded && onDrawn())
  viewer.addHandler('open', () => {
    handleViewChange()
    onOpen(pane)
  })
  const pane: ZoomPane = {
    fit: () => viewport.goHome(true),
    showPixels() {
      viewport.zoomTo(viewport.imageToViewportZoom(1 / devicePixelRatio), undefined, true)
      viewport.applyConstraints(true)
      snap()
    },
    zoomBy(factor) {
      viewport.zoomBy(factor)
      viewport.applyConstraints()
    },
    panBy(x, y) {
      viewport.panBy(viewport.deltaPointsFromPixels(new Point(x, y)))
      viewport.applyConstraints()
    },
    view() {
      const { x, y } = viewport.getCenter(true)
      return { x, y, zoom: viewport.getZoom(true) }
    },
    moveTo({ x, y, zoom }) {
      // Known before it is drawn: a pane that changes its size at once must not be fitted again.
      isFitted = false
      viewport.zoomTo(zoom, undefined, true)
      viewport.panTo(new Point(x, y), true)
    },
    on: (event, listener, signal) => events.addEventListener(event, listener, { signal }),
  }
  viewer.open({ tileSource: tileSourceOf(picture) })
  signal.addEventListener('abort', () => viewer.destroy(), { once: true })
}

/** How far a place is from the screen pixel that is nearest, in pixels of the page. */
function awayFromPixel(position: number): number {
  const onScreen = position * devicePixelRatio
  return (onScreen - Math.round(onScreen)) / devicePixelRatio
}

export type OpenPicture = {
  readonly size: Size
  /** A tile of the picture after this many halvings; null once the picture is closed. */
  tile(halvings: number, column: number, row: number): Promise<ImageBitmap | null>
}

/** Decodes a picture in a worker until `signal` is aborted; null if the browser cannot decode the bytes. */
export function openPicture(blob: Blob, signal: AbortSignal): Promise<OpenPicture | null> {
  const worker = new PictureWorker()
  const pending = new Map<number, (bitmap: ImageBitmap | null) => void>()
  let count = 0
  const ask = (question: PictureRequest): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(question)
  }
  const { promise, resolve } = Promise.withResolvers<OpenPicture | null>()
  const giveUp = (): void => {
    worker.terminate()
    for (const settle of pending.values()) settle(null)
    pending.clear()
    resolve(null)
  }
  signal.addEventListener('abort', giveUp, { once: true })
  worker.addEventListener('error', giveUp)
  worker.addEventListener('message', ({ data }: MessageEvent<PictureResponse>) => {
    if (data.kind === 'unreadable') giveUp()
    else if (data.kind === 'tile') {
      pending.get(data.number)?.(data.bitmap)
      pending.delete(data.number)
    } else
      resolve({
        size: data.size,
        tile(halvings, column, row) {
          count += 1
          const tile = Promise.withResolvers<ImageBitmap | null>()
          pending.set(count, tile.resolve)
          ask({ kind: 'tile', number: count, halvings, column, row })
          return tile.promise
        },
      })
  })
  ask({ kind: 'open', blob })
  return promise
}

let count = 0

export function tileSourceOf(picture: OpenPicture): TileSource {
  const levels = levelsOf(picture.size)
  count += 1
  const name = `picture-${count}`
  const source = new TileSource({
    ...picture.size,
    tileSize: TILE_SIZE,
    tileOverlap: TILE_OVERLAP,
    minLevel: levels.min,
    maxLevel: levels.max,
  })
  // Never fetched: it only identifies a tile.
  source.getTileUrl = (level, column, row) => `${name}/${level}/${column}/${row}`
  source.hasTransparency = () => false
  source.downloadTileStart = (job) => void cutTile(picture, levels.max, job)
  source.downloadTileAbort = () => undefined
  return source
}

async function cutTile(picture: OpenPicture, maxLevel: number, job: ImageJob): Promise<void> {
  const { level, x, y } = job.tile
  const bitmap = await picture.tile(maxLevel - level, x, y)
  const context = document.createElement('canvas').getContext('2d')
  if (!bitmap || !context) {
    job.fail('The picture was closed.', null)
    return
  }
  context.canvas.width = bitmap.width
  context.canvas.height = bitmap.height
  context.drawImage(bitmap, 0, 0)
  bitmap.close()
  job.finish(context, null, 'context2d')
}
