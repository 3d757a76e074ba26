import { beforeEach, expect, it, vi } from 'vitest'
import { showRecoveryResult } from '../../../src-main/electron/dialogs.ts'
import { hostTexts } from '../../../src-main/electron/texts.ts'

const { shown } = vi.hoisted(() => ({ shown: [] as { message: string; detail: string }[] }))
vi.mock('electron', () => ({
  dialog: {
    showMessageBox: (options: { message: string; detail: string }) => {
      shown.push(options)
      return Promise.resolve({ response: 0 })
    },
  },
}))
beforeEach(() => {
  shown.length = 0
})

it('tells what a recovery did in its own words, so that a sound outbox is not said to be recovered', async () => {
  const texts = hostTexts('en')
  await showRecoveryResult(['The outbox is sound, so it was left as it is.'], texts)
  await showRecoveryResult(
    ['There was no outbox any more.', 'It was built anew.', 'All cases are known.'],
    texts,
  )
  expect(shown.map(({ message, detail }) => [message, detail])).toEqual([
    ['The outbox is sound, so it was left as it is.', ''],
    ['There was no outbox any more.', 'It was built anew.\nAll cases are known.'],
  ])
})
