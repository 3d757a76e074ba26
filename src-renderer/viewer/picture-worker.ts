/** The worker that decodes one picture and cuts its tiles, so that even huge pictures do not block the page. */
import { type PictureRequest, type PictureResponse, type Size, sizeAt, tileBox } from './pyramid.ts'

/** The DOM types lack a worker's own scope. */
type Scope = {
  onmessage: ((event: MessageEvent<PictureRequest>) => void) | null
  postMessage(answer: PictureResponse, transfer?: Transferable[]): void
}
const scope = globalThis as unknown as Scope

function respond(response: PictureResponse, transfer: Transferable[] = []): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  scope.postMessage(response, transfer)
}

/** The picture, then each half-size copy; created on demand. */
const halves: (ImageBitmap | OffscreenCanvas)[] = []

function half(halvings: number): ImageBitmap | OffscreenCanvas {
  const made = halves[halvings]
  if (made) return made
  const [whole] = halves
  if (!whole || halvings === 0) throw new Error('No picture was opened.')
  const from = half(halvings - 1)
  const { canvas, context } = drawingOf(sizeAt(whole, halvings))
  context.imageSmoothingEnabled = true
  // Halving by averaging two pixels each way: the simplest smoothing is the exact one.
  context.imageSmoothingQuality = 'low'
  context.drawImage(from, 0, 0, canvas.width, canvas.height)
  halves[halvings] = canvas
  return canvas
}

function drawingOf({ width, height }: Size) {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser draws nothing in a worker.')
  return { canvas, context }
}

function tile({ number, halvings, column, row }: Extract<PictureRequest, { kind: 'tile' }>): void {
  const from = half(halvings)
  const box = tileBox(from, column, row)
  const { canvas, context } = drawingOf(box)
  context.drawImage(from, box.x, box.y, box.width, box.height, 0, 0, box.width, box.height)
  const bitmap = canvas.transferToImageBitmap()
  respond({ kind: 'tile', number, bitmap }, [bitmap])
}

async function open(blob: Blob): Promise<void> {
  try {
    const bitmap = await createImageBitmap(blob)
    halves.push(bitmap)
    respond({ kind: 'opened', size: { width: bitmap.width, height: bitmap.height } })
  } catch {
    // Anything that the browser cannot decode or has too little memory for.
    respond({ kind: 'unreadable' })
  }
}

// oxlint-disable-next-line unicorn/prefer-add-event-listener -- the declared worker scope has only two members
scope.onmessage = ({ data }) => {
  if (data.kind === 'open') void open(data.blob)
  else tile(data)
}
