import { expect, it, onTestFinished, vi } from 'vitest'
import { openPicture } from '../../../src-renderer/viewer/zoom-pane.ts'

/** A browser that decodes a picture of this size once it is let; what it decoded, and the canvases that it drew. */
function browserWith(size: { readonly width: number; readonly height: number }) {
  const bitmap = { ...size, close: vi.fn<() => void>() }
  const decoded = Promise.withResolvers<typeof bitmap>()
  const decode = vi.fn<() => typeof decoded.promise>(() => decoded.promise)
  const canvases: HTMLCanvasElement[] = []
  vi.stubGlobal('createImageBitmap', decode)
  const getContext = vi.spyOn(HTMLCanvasElement.prototype, 'getContext')
  getContext.mockImplementation(function drawOn(this: HTMLCanvasElement) {
    canvases.push(this)
    return { canvas: this, drawImage: () => undefined } as unknown as RenderingContext
  })
  onTestFinished(() => {
    vi.unstubAllGlobals()
    getContext.mockRestore()
  })
  return { bitmap, decode, canvases, letDecode: () => decoded.resolve(bitmap) }
}

const sizesOf = (canvases: readonly HTMLCanvasElement[]) =>
  canvases.map(({ width, height }) => [width, height])

it('draws a picture and its halves, rounded up, and frees them all when it is closed', async () => {
  const { bitmap, canvases, letDecode } = browserWith({ width: 901, height: 3 })
  letDecode()
  const picture = await openPicture(new Blob(), new AbortController().signal)
  expect(picture?.source.maxLevel).toBe(2)
  expect(bitmap.close).toHaveBeenCalledOnce()
  expect(sizesOf(canvases)).toEqual([
    [901, 3],
    [451, 2],
    [226, 1],
  ])
  picture?.close()
  expect(sizesOf(canvases)).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ])
})

it('does not decode a picture that a person has left, and draws none that was left meanwhile', async () => {
  const { bitmap, decode, canvases, letDecode } = browserWith({ width: 901, height: 3 })
  expect(await openPicture(new Blob(), AbortSignal.abort())).toBeNull()
  expect(decode).not.toHaveBeenCalled()
  const gone = new AbortController()
  const opening = openPicture(new Blob(), gone.signal)
  gone.abort()
  letDecode()
  expect(await opening).toBeNull()
  expect(canvases).toEqual([])
  expect(bitmap.close).toHaveBeenCalledOnce()
})
