import type { Page } from 'playwright-core'
import { drawFundus } from '../../camera/draw-fundus.ts'

export type DroppedFile = { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }

/** A photograph like no other, as a file. */
export async function photograph(name: string, eye: 'right' | 'left'): Promise<DroppedFile> {
  const seed = name.length + name.charCodeAt(0)
  const buffer = await drawFundus({ eye, seed, shot: 0, width: 300, height: 250 })
  return { name, mimeType: 'image/jpeg', buffer }
}

/** Drops files into the middle of a page, as from the file manager of the computer. */
export async function dropFiles(page: Page, files: readonly DroppedFile[]): Promise<void> {
  const carried = files.map(({ name, mimeType, buffer }) => ({
    name,
    mimeType,
    base64: buffer.toString('base64'),
  }))
  await page.evaluate((dropped) => {
    const dataTransfer = new DataTransfer()
    for (const { name, mimeType, base64 } of dropped) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      dataTransfer.items.add(new File([bytes], name, { type: mimeType }))
    }
    const target = document.querySelector('main') ?? document.body
    for (const kind of ['dragenter', 'dragover', 'drop'])
      target.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }))
  }, carried)
}
