import type { Page } from 'playwright-core'

export type DroppedFile = { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }

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
