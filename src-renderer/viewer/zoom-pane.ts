/** One picture in OpenSeadragon: zoomed to the pointer, drawn without smoothing at 1:1 and above. */
import { Point, Viewer } from 'openseadragon'
import { type OpenPicture, tileSourceOf } from './picture.ts'
import type { View } from './side-by-side.ts'

export type ZoomPane = {
  fit(): void
  /** One pixel of the image on one pixel of the screen. */
  showPixels(): void
  zoomBy(factor: number): void
  /** In pixels of the page. */
  panBy(x: number, y: number): void
  view(): View
  /** Looks there at once. */
  moveTo(view: View): void
  /** After each change of the view, however it came. */
  onView(listener: () => void): () => void
  /** A person begins to move this picture by pointer, wheel or finger. */
  onHandled(listener: () => void): () => void
  /** After the pane itself became larger or smaller. */
  onResized(listener: () => void): () => void
}

type ZoomPaneOptions = {
  readonly host: HTMLElement
  readonly picture: OpenPicture
  readonly isMotionReduced: boolean
  /** Pixels of the screen to one pixel of the image; called at once and after each change. */
  readonly onScale: (scale: number) => void
  /** From now on there is something to zoom. */
  readonly onOpen: (pane: ZoomPane) => void
  /** All that is to be seen has been drawn. */
  readonly onDrawn: () => void
}

const MIN_ZOOM_OF_FIT = 0.5
const MAX_SCREEN_PIXELS = 16
const PER_WHEEL_STEP = 1.25
const GLIDE_SECONDS = 0.25

/** Beside a whole number of screen pixels to one of the image, nothing is smoothed. */
const EPSILON = 1e-3

/** Answers how to close it. */
export function openZoomPane(options: ZoomPaneOptions): () => void {
  const { host, picture, isMotionReduced, onScale, onOpen, onDrawn } = options
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
  const listeners = {
    view: new Set<() => void>(),
    handled: new Set<() => void>(),
    resized: new Set<() => void>(),
  }
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
    if (isResized) notify(listeners.resized)
    else notify(listeners.view)
    isResized = false
  }
  const handled = (): void => notify(listeners.handled)
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
  viewer.addHandler('canvas-press', handled)
  viewer.addHandler('canvas-scroll', handled)
  viewer.addHandler('canvas-pinch', handled)
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
    onView: (listener) => subscribe(listeners.view, listener),
    onHandled: (listener) => subscribe(listeners.handled, listener),
    onResized: (listener) => subscribe(listeners.resized, listener),
  }
  viewer.open({ tileSource: tileSourceOf(picture) })
  return () => viewer.destroy()
}

function notify(listeners: ReadonlySet<() => void>): void {
  for (const listener of listeners) listener()
}

/** How far a place is from the screen pixel that is nearest, in pixels of the page. */
function awayFromPixel(position: number): number {
  const onScreen = position * devicePixelRatio
  return (onScreen - Math.round(onScreen)) / devicePixelRatio
}

function subscribe(all: Set<() => void>, one: () => void): () => void {
  all.add(one)
  return () => void all.delete(one)
}
