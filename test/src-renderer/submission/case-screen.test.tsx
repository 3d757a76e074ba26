import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { type SubmissionDetails, submissionDetailsSchema } from '../../../src-shared/submission.ts'
import type { StationSession } from '../../../src-renderer/store/store.ts'
import { addFiles } from '../../../src-renderer/submission/add-images.tsx'
import { all, type Answers, click, find, openWindow, shows, type } from '../open-window.tsx'
import { countsOf, detailsOf, PROVEN, syntheticSubmission } from '../synthetic-submission.ts'

/** As `submissions.get` answered for some of the cases of the full outbox, by history number. */
const CASES = JSON.parse(readFileSync('test/fixtures/full-outbox/cases.json', 'utf8')) as Record<
  string,
  object
>

function caseOf(who: string): SubmissionDetails {
  const since = {
    unusableFiles: [],
    undoUntil: null,
    sentWrongly: null,
    erasedAt: null,
    replaces: null,
    replacedBy: null,
    imageShortfall: null,
    verdict: PROVEN,
    digest: `digest of ${who}`,
  }
  return submissionDetailsSchema.parse({ ...CASES[who], ...since, isByHand: false })
}
const withCases = (...cases: readonly SubmissionDetails[]): Answers => ({
  'submissions.get': ({ id }) => detailsOf(cases.find((one) => one.id === id) ?? caseOf('H-00105')),
  'submissions.list': { items: [...cases], total: cases.length, counts: countsOf() },
})
const UNCONFIRMED: SubmissionDetails = {
  ...caseOf('H-00104'),
  attemptList: caseOf('H-00104').attemptList.map((attempt) => ({ ...attempt, hasAnswer: true })),
}

describe('a delivery to be checked', () => {
  it('says its evidence and the risk of both answers, and sends nothing without initials', async () => {
    const { inputsOf } = openWindow(`#/queue/${UNCONFIRMED.id}`, {
      ...withCases(UNCONFIRMED),
      'submissions.resolve': () => UNCONFIRMED,
    })
    const panel = await find('region', 'Did this case arrive?')
    for (const kind of [
      'More than once at the service',
      'May be at another center',
      'Confirmed by the service',
    ])
      await shows(kind, panel)
    // The history is long, and the decision comes before it.
    const firstEntry = panel.querySelector('ol li')
    const decide = await find('button', 'Send again', panel)
    expect(firstEntry && decide.compareDocumentPosition(firstEntry)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    for (const risk of [/another patient’s ID/, /has this visit twice/]) await shows(risk, panel)
    await click('button', 'Send again', panel)
    const dialog = await find('dialog', 'Send this case a second time?')
    const confirm = await find('button', 'Send again', dialog)
    expect(confirm.hasAttribute('disabled')).toBe(true)
    await click('checkbox', undefined, dialog)
    await type('textbox', 'Your initials', 'QX')
    await vi.waitFor(() => expect(confirm.hasAttribute('disabled')).toBe(false))
    expect(inputsOf('submissions.resolve')).toEqual([])
    confirm.click()
    await vi.waitFor(() =>
      expect(inputsOf('submissions.resolve')).toEqual([
        {
          id: UNCONFIRMED.id,
          delivered: false,
          by: 'QX',
          seen: { [UNCONFIRMED.id]: UNCONFIRMED.digest },
        },
      ]),
    )
  })

  it.each([
    [
      'cuts one that is endless',
      { status: 200, sizeBytes: 900_000, text: 'x'.repeat(64_000) },
      'Only the first 20,000 characters are shown.',
    ],
    ['says that none was kept', null, 'This answer was not kept.'],
  ])('shows the answer of the service: %s', async (_what, answer, text) => {
    openWindow(`#/queue/${UNCONFIRMED.id}`, {
      ...withCases(UNCONFIRMED),
      'submissions.answer': { answer },
    })
    await click('button', /^Show answer to attempt/)
    await shows(text)
    expect(all('region', 'Answer').map((one) => one.textContent.length)).toEqual(
      answer === null ? [] : [20_000],
    )
  })
})

describe('a patient who withdrew', () => {
  const one = { ...caseOf('H-00105'), state: 'review' as const }

  it('is erased with initials, after the window has said what that means, and as it was shown', async () => {
    const { inputsOf } = openWindow(`#/queue/${one.id}`, {
      ...withCases(one),
      'submissions.withdraw': { changed: [one.id], refused: [] },
    })
    await click('button', 'More actions')
    await click('menuitem', 'Patient withdrew…')
    const dialog = await find('dialog', 'Erase this case for good?')
    for (const text of [
      /also from backups. This cannot be undone/,
      'Delete them at the camera, too.',
      /H-00105/,
    ])
      await shows(text, dialog)
    await click('button', 'Erase', dialog)
    await shows('Enter your initials.', dialog)
    expect(inputsOf('submissions.withdraw')).toEqual([])
    await type('textbox', 'Your initials', 'QX')
    await click('button', 'Erase', dialog)
    await vi.waitFor(() =>
      expect(inputsOf('submissions.withdraw')).toEqual([
        { ids: [one.id], seen: { [one.id]: one.digest }, by: 'QX' },
      ]),
    )
  })

  it('is neither restored nor edited', async () => {
    const erased = { ...one, state: 'discarded' as const, fields: {}, images: [], erasedAt: 1_000 }
    openWindow(`#/queue/${one.id}`, withCases(erased))
    await shows('Images and data were erased for good.')
    expect([...all('button', 'More actions'), ...all('button', 'Restore')]).toEqual([])
  })
})

describe('what is in doubt about a case', () => {
  it('leads to the field that it is about', async () => {
    const one = caseOf('H-00105')
    openWindow(`#/queue/${one.id}`, withCases(one))
    const missing = await find('region', 'Check')
    await click('button', /valueOutOfRange/, missing)
    await vi.waitFor(() => expect(document.activeElement?.id).toMatch(/^field-/))
  })
})

describe('the measurements of a case', () => {
  it('are those that it has, what is asked for, and the rest on a click', async () => {
    const one = { ...caseOf('H-00049'), reasons: [], fields: { od_iop: 14, os_cylinder: -0.5 } }
    openWindow(`#/queue/${one.id}`, withCases(one))
    const block = await find('region', 'Measurements')
    const shown = () => all('textbox', /right eye/, block).map((input) => input.id)
    await vi.waitFor(() => expect(shown()).toEqual(['field-od_iop', 'field-od_cylinder', 'field-od_axis']))
    await shows('Needed with a cylinder.', block)
    await click('button', 'Add measurements', block)
    expect(shown()).toHaveLength(7)
    expect(document.activeElement?.id).toBe('field-od_va')
    expect(all('button', 'Add measurements')).toEqual([])
  })
})

it.each([
  [1, 18, '18 months'],
  [0, 1, '1 month'],
  // A person has typed another age.
  [2, 18, null],
  [61, null, null],
] as const)('an age of %s years is shown in months, too, if they are %s', async (age, ageMonths, text) => {
  const details = detailsOf(syntheticSubmission('one', { fields: { history_number: 'H-1', age } }))
  const proof = details.proof && { ...details.proof, ageMonths }
  openWindow('#/queue/one', { 'submissions.get': { ...details, proof } })
  const years = await find('textbox', 'Age')
  expect(years).toHaveProperty('value', String(age))
  const beside = years.closest('[style*="span 2"]')?.textContent.replace('Age', '')
  expect(beside).toBe(text ?? '')
})

describe('the history of a case', () => {
  it('says what happened to it and who decided, the latest first', async () => {
    const evidence = caseOf('H-00104').evidence.map((found) => ({ ...found, by: 'QX' }))
    const one = { ...caseOf('H-00049'), evidence, attemptList: caseOf('H-00104').attemptList }
    openWindow(`#/queue/${one.id}`, withCases(one))
    const history = await find('region', 'History')
    await shows('by QX', history)
    const times = [...history.querySelectorAll('time')].map(({ title }) => Date.parse(title))
    expect(times.length).toBe(1 + one.attemptList.length + evidence.length)
    expect(times).toEqual(times.toSorted((first, other) => other - first))
  })
})

describe('a case that is joined with another', () => {
  const one = caseOf('H-00049')
  const other = caseOf('H-00050')

  it('is named beside it, and is not joined while something in it is not saved', async () => {
    const { inputsOf } = openWindow(`#/queue/${one.id}`, {
      ...withCases(one, other),
      'submissions.update': () => one,
      'submissions.merge': () => one,
    })
    await type('textbox', 'Age', '200')
    await click('button', 'More actions')
    await click('menuitem', 'Join with another case')
    const dialog = await find('dialog', 'Join with another case')
    await click('button', /H-00050/, dialog)
    await shows(/From H-00050.* to H-00049/, dialog)
    await click('button', 'Join', dialog)
    await shows(/Unsaved changes: H-00049/, dialog)
    expect(inputsOf('submissions.merge')).toEqual([])
  })

  it('is not joined, or emptied, while files are on their way to it', async () => {
    const mine = { ...one, id: 'with files' }
    const slow = {
      link: { uploadFile: () => Promise.withResolvers<never>().promise },
      store: { getState: () => ({ status: { host: 'headless' } }) },
    }
    const { inputsOf } = openWindow(`#/queue/${mine.id}`, withCases(mine, other))
    await find('button', 'More actions')
    addFiles(slow as unknown as StationSession, mine.id, [new File(['x'], 'slow.jpg')])
    await click('button', 'More actions')
    await click('menuitem', 'Join with another case')
    const joining = await find('dialog', 'Join with another case')
    await click('button', /H-00050/, joining)
    await click('button', 'Join', joining)
    await shows('Wait for all images, or decide on those not added.', joining)
    await click('button', 'Cancel', joining)
    for (const box of all('checkbox', /^Select /)) box.click()
    await click('button', 'Move to another case')
    const moving = await find('dialog', 'Move to another case')
    await click('button', /H-00050/, moving)
    await click('button', 'Move', moving)
    await shows('Wait for all images, or decide on those not added.', moving)
    expect([...inputsOf('submissions.merge'), ...inputsOf('submissions.moveImages')]).toEqual([])
  })
})
