/** What the station says is shown in the language of the screens. */
import { expect, test } from 'vitest'
import { sourceOf, sourcesIn } from './sources.ts'
import { unsaidOf } from './unsaid.ts'

/** What is no sentence of the station, or is not shown. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src-renderer/new-case/file-board.tsx answer.failure.message': 'handed on; said where the file is shown',
  'src-renderer/queue/run-action.ts failure.message':
    'by which refusals are put together; said where they are shown',
  'src-renderer/shell/load-screen.ts error.message': 'of the browser, and not shown',
  'src-renderer/settings/patient-list.tsx list.message': 'handed to `messageOf`, which takes no null',
  'src-renderer/submission/draft.ts read.message': 'of the screens themselves',
  'src-renderer/submission/missing-list.tsx item.message': 'a key of the list',
  'src-renderer/submission/autosave.ts answer.failure.message': 'handed on; said where the note is made',
}

test('no screen shows a sentence of the station as it came', () => {
  const unsaid = sourcesIn('src-renderer').flatMap(unsaidOf)
  const file = ({ where }: { readonly where: string }): string => where.replace(/:\d+$/, '')
  expect(unsaid.filter((one) => !(`${file(one)} ${one.text}` in ALLOWED))).toEqual([])
})

test('a sentence that is shown as it came is found', () => {
  const code = `
    const a = <p>{failure.message} {messageOf(note)}</p>
    tell({ tone: 'red', message: answer.failure.message })
    const isIt = reason.message.includes(name)`
  expect(unsaidOf(sourceOf('a.tsx', code)).map(({ text }) => text)).toEqual([
    'failure.message',
    'answer.failure.message',
  ])
})
