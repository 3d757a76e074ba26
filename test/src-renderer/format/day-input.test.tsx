/** The browser writes the day of a field as its system does, so it is shown in our words as long as no one edits it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { openWindow } from '../open-window.tsx'
import { speak } from '../speak.ts'
import { countsOf, detailsOf, syntheticSubmission } from '../synthetic-submission.ts'

const VISIT = syntheticSubmission('one', { fields: { history_number: 'H-1', visit_date: '2026-11-12' } })
const ANSWERS = {
  'submissions.list': { items: [VISIT], total: 1, counts: countsOf() },
  'submissions.get': detailsOf(VISIT),
}

afterEach(() => speak('en'))

it.each([
  ['en', '12 Nov 2026'],
  ['es', '12 nov 2026'],
] as const)('a day in the form is written as everywhere in %s', async (language, expected) => {
  await speak(language)
  openWindow('#/queue/one', ANSWERS)
  await vi.waitFor(() =>
    expect(document.querySelector<HTMLElement>('#field-visit_date')?.dataset['shown']).toBe(expected),
  )
})

it('is what the page shows in place of the day of the system, unless the field has the focus', () => {
  const css = readFileSync(join(import.meta.dirname, '../../../src-renderer/styles.css'), 'utf8')
  expect(css).toMatch(
    /input\[type='date'\]\[data-shown\][^{]*:not\(:focus\)::before \{\s*content: attr\(data-shown\)/,
  )
  expect(css).toMatch(/:not\(:focus\)::-webkit-datetime-edit \{[^}]*opacity: 0/)
})
