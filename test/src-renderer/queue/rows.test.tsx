/** What a row says of its case, so that nothing has to be opened to know it; and whose cases a question is about. */
import { describe, expect, it, vi } from 'vitest'
import type { Submission } from '../../../src-shared/submission.ts'
import type { StationStatus } from '../../../src-shared/station-status.ts'
import { all, type Answers, click, find, openWindow, press, shows } from '../open-window.tsx'
import {
  countsOf,
  detailsOf,
  failing,
  PROPOSED,
  syntheticImage,
  syntheticStatus,
  syntheticSubmission,
} from '../synthetic-submission.ts'

const caseOf = (id: string, rest: Partial<Submission> = {}): Submission =>
  syntheticSubmission(id, { fields: { history_number: id }, ...rest })

const withCases = (cases: readonly Submission[], answers: Answers = {}): Answers => ({
  'submissions.list': { items: [...cases], total: cases.length, counts: countsOf() },
  'submissions.get': ({ id }) => detailsOf(cases.find((one) => one.id === id) ?? caseOf(id)),
  'submissions.approve': ({ ids }) => ({ changed: [...ids], refused: [] }),
  ...answers,
})

const UNUSUAL = {
  oddities: [{ kind: 'unusualValue', message: 'Unusual IOP: 63 (most are 6 to 21).' }],
} as const satisfies Partial<Submission>

describe('a row', () => {
  it('without number and name has the folder and the file, by which a person knows whose it is', async () => {
    const nameless = syntheticSubmission('one', {
      images: [syntheticImage('a', 'right', { fileName: 'Camera 2/IMG_0412.jpg' })],
    })
    openWindow('#/queue', withCases([nameless]))
    await shows('No history number Camera 2/IMG_0412.jpg', await find('table'))
    await shows('Camera 2/IMG_0412.jpg', await find('heading', /^No history number/))
  })

  it('says what is unusual about a case that can be approved', async () => {
    openWindow('#/queue', withCases([caseOf('H-1', UNUSUAL)]))
    await shows('Unusual IOP: 63', await find('row', /H-1/))
  })

  it('says of a case that was sent wrongly nothing else, whatever the service shows of it', async () => {
    const sentWrongly = { because: 'eye', right: 'OS', at: 0, by: 'AB', call: null } as const
    const wrong = caseOf('H-1', { state: 'sent', imageShortfall: { shown: 1, sent: 2 }, sentWrongly })
    openWindow('#/queue', withCases([wrong]))
    await shows('Sent wrongly', await find('table'))
  })

  it('says which eye goes without an image', async () => {
    const images = [syntheticImage('a', 'left')]
    openWindow('#/queue', withCases([caseOf('H-1', { images, noImageBecause: { right: 'Prosthesis' } })]))
    await shows('1 image · No image of the right eye', await find('row', /H-1/))
  })

  it.each<[string, Partial<StationStatus>]>([
    ['Sending is paused', { mode: { kind: 'paused', why: 'person', until: null } }],
    ['Sign-in refused', { mode: { kind: 'paused', why: 'signedOut', until: null } }],
    ['Service not set up', { mode: { kind: 'paused', why: 'serviceNotSet', until: null } }],
    [
      'No connection',
      { service: { ...syntheticStatus().service, health: 'trouble', failure: failing('offline') } },
    ],
    ['Queued', {}],
  ])('of a case that waits says: %s', async (why, status) => {
    openWindow(
      '#/queue',
      withCases([caseOf('H-1', { state: 'waiting' })], { 'station.status': syntheticStatus(status) }),
    )
    await shows(why, await find('row', /H-1/))
    // The banner has the same words.
    if (why !== 'Queued') expect((await find('region', why)).dataset['testid']).toBe('banner')
  })

  it.each([
    ['refused', 'red'],
    ['incomplete', 'amber'],
    ['unconfirmed', 'amber'],
    ['review', 'blue'],
    ['waiting', 'grey'],
    ['sent', 'grey'],
  ] as const)('of state %s is %s: only trouble has its colour', async (state, tone) => {
    openWindow('#/queue', withCases([caseOf('H-1', { state })]))
    const row = await find('row', /H-1/)
    expect(row.querySelector<HTMLElement>('span[data-state]')?.dataset['tone']).toBe(tone)
    // No row has a button that approves or decides.
    expect(all('button', undefined, row)).toEqual([])
  })
})

describe('a selection', () => {
  const select = async (...ids: readonly string[]): Promise<void> => {
    for (const id of ids) await click('checkbox', new RegExp(`^Select ${id}`))
  }

  it('approves nothing that is unusual: that is seen first', async () => {
    const { inputsOf } = openWindow(
      '#/queue',
      withCases([caseOf('H-1'), caseOf('H-2', UNUSUAL), caseOf('H-3', { verdict: PROPOSED })]),
    )
    await select('H-1', 'H-2', 'H-3')
    await click('button', 'Approve (1)', await find('toolbar'))
    await vi.waitFor(() => expect(inputsOf('submissions.approve')).toMatchObject([{ ids: ['H-1'] }]))
  })

  it('of more than twenty cases asks, names how many, and can be taken back as one', async () => {
    const cases = Array.from({ length: 21 }, (_none, index) => caseOf(`H-${index}`))
    const { inputsOf } = openWindow('#/queue', withCases(cases))
    await click('checkbox', 'Select all shown')
    await click('button', 'Approve', await find('toolbar'))
    const question = await find('dialog', 'Approve 21 cases?')
    expect(inputsOf('submissions.approve')).toEqual([])
    await click('button', 'Approve 21', question)
    await vi.waitFor(() => expect(inputsOf('submissions.approve')).toMatchObject([{ undoSeconds: 30 }]))
  })

  it('is named when it is to be discarded, the first five by number and name', async () => {
    const cases = Array.from({ length: 7 }, (_none, index) =>
      caseOf(`H-${index}`, { fields: { history_number: `H-${index}`, last_name: 'Sampleton' } }),
    )
    openWindow('#/queue', withCases(cases))
    await click('checkbox', 'Select all shown')
    await click('button', 'Discard', await find('toolbar'))
    const dialog = await find('dialog', 'Discard 7 cases?')
    await shows('H-0, Sampleton', dialog)
    await shows('and 2 more', dialog)
    await click('button', 'Keep', dialog)
  })
})

it('a case that is to be discarded is named', async () => {
  openWindow('#/queue', withCases([caseOf('H-1'), caseOf('H-2')]))
  const link = await find('link', /^Open H-2/)
  link.focus()
  press('Delete', link)
  const dialog = await find('dialog', 'Discard this case?')
  await shows('H-2', dialog)
  await click('button', 'Keep', dialog)
})
