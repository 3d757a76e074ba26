/** One picture in OpenSeadragon: zoomed to the pointer, drawn without smoothing at 1:1 and above. */
import { Point, TileSource, Viewer } from 'openseadragon'

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
  viewer.open({ tileSource: picture.source })
  signal.addEventListener('abort', () => viewer.destroy(), { once: true })
}

/** How far a place is from the screen pixel that is nearest, in pixels of the page. */
function awayFromPixel(position: number): number {
  const onScreen = position * devicePixelRatio
  return (onScreen - Math.round(onScreen)) / devicePixelRatio
}

/** A level of this size is not halved again. */
const MIN_SIZE = 384

/** How many pictures were opened in this window. */
let count = 0

export type OpenPicture = {
  readonly source: TileSource
  /** Frees its memory, four bytes for each pixel, which would else wait for the garbage collector. */
  close(): void
}

/**
 * Decodes a picture: itself and its halves, each in one piece. Null if the browser cannot decode the bytes, or if it is
 * not wanted any more.
 */
export async function openPicture(blob: Blob, gone: AbortSignal): Promise<OpenPicture | null> {
  // A person may have gone on while the bytes were read.
  if (gone.aborted) return null
  // It also fails if there is too little memory.
  const picture = await createImageBitmap(blob).catch(() => null)
  if (picture === null || gone.aborted) {
    picture?.close()
    return null
  }
  const { width, height } = picture
  const levels = [drawnAs(width, height, picture)]
  picture.close()
  for (const { canvas } of levels)
    if (Math.max(canvas.width, canvas.height) > MIN_SIZE)
      levels.push(drawnAs(Math.ceil(canvas.width / 2), Math.ceil(canvas.height / 2), canvas))
  levels.reverse()
  count += 1
  const name = `picture-${count}`
  const maxLevel = levels.length - 1
  // Without an overlap OpenSeadragon stretches a tile by a pixel, and 1:1 would not be 1:1.
  const tile = { tileWidth: width, tileHeight: height, tileOverlap: 1 }
  const source = new TileSource({ width, height, ...tile, maxLevel })
  // Never fetched: it only identifies a level.
  source.getTileUrl = (level) => `${name}/${level}`
  source.hasTransparency = () => false
  source.downloadTileStart = (job) => job.finish(levels[job.tile.level], null, 'context2d')
  source.downloadTileAbort = () => undefined
  const close = (): void => {
    for (const { canvas } of levels) Object.assign(canvas, { width: 0, height: 0 })
  }
  return { source, close }
}

function drawnAs(width: number, height: number, from: CanvasImageSource): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser draws nothing')
  Object.assign(canvas, { width, height })
  // Halving by averaging two pixels each way: the simplest smoothing is the exact one.
  context.imageSmoothingQuality = 'low'
  context.drawImage(from, 0, 0, width, height)
  return context
}
