/** One file cannot stop a folder: what is thrown over its content is the outcome of that file. */
import { expect, it, vi } from 'vitest'
import { drawing } from '../draw-images.ts'
import { SETTLE_MS, watchFolder } from './watched-folder.ts'

vi.mock(import('../../../../src-main/reader/formats/png.ts'), () => ({
  walkPng: () => Promise.reject(new RangeError('a defect of the check')),
}))

it('is noted and set aside, and the file beside it is emitted', async () => {
  const setAside: string[] = []
  const folder = await watchFolder(
    { 'bad.png': await drawing().png().toBuffer(), 'good.jpg': await drawing().jpeg().toBuffer() },
    { onSetAside: (error) => setAside.push(error) },
  )
  await folder.clock.turn(SETTLE_MS)
  await vi.waitFor(() => expect(folder.events.some(({ kind }) => kind === 'settled')).toBe(true))
  expect(folder.emitted().toSorted()).toEqual(['settled good.jpg', 'unreadable bad.png'])
  expect(setAside).toEqual(['RangeError'])
  // It is not tried again while it stays unchanged.
  await folder.clock.turn(10 * 60_000)
  expect(setAside).toHaveLength(1)
  await folder.close()
})
