import { openPdf } from './open-pdf.ts'

/** About 200 dots an inch on A4: sharp on paper, and a page takes a few megabytes. */
const PAGE_WIDTH = 1_654

/** The pages of a PDF as pictures, one after the other so that only one canvas is needed. */
export async function renderForPrint(blob: Blob, isWanted: () => boolean): Promise<Blob[]> {
  const pdf = await openPdf(blob)
  try {
    const pictures: Blob[] = []
    for (let number = 1; number <= pdf.pageCount && isWanted(); number += 1) {
      const page = await pdf.document.getPage(number)
      const { width } = page.getViewport({ scale: 1 })
      const viewport = page.getViewport({ scale: PAGE_WIDTH / width })
      const canvas = document.createElement('canvas')
      canvas.width = Math.floor(viewport.width)
      canvas.height = Math.floor(viewport.height)
      await page.render({ canvas, viewport, intent: 'print' }).promise
      pictures.push(await asPng(canvas))
    }
    return pictures
  } finally {
    pdf.close()
  }
}

async function asPng(canvas: HTMLCanvasElement): Promise<Blob> {
  const { promise, resolve } = Promise.withResolvers<Blob | null>()
  canvas.toBlob(resolve, 'image/png')
  const blob = await promise
  if (!blob) throw new Error('The page could not be drawn')
  return blob
}
