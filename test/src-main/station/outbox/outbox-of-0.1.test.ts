import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { manifestsFolderIn } from '../../../../src-main/station/outbox/recovery/manifests.ts'
import { recoverOutbox } from '../../../../src-main/station/outbox/recovery/recover.ts'
import type { SubmissionDetails } from '../../../../src-shared/submission.ts'
import { restsOnProposal } from '../../../../src-shared/verdict.ts'
import { copyFixtureOutbox, fixtureExpectation, openFixtureOutbox } from '../../../tools/fixture-outbox.ts'
import { MORNING } from '../../../tools/outbox-with.ts'
import { loseDatabase, type OutboxWithManifests, openWithManifests } from './manifests-with.ts'

const { cases, counts, alarms } = fixtureExpectation()

/** Shown in review until a station reads the case again: 0.1 did not store what is proven. */
const READ_FROM_NAMES = {
  kind: 'readFromNames',
  message: 'Not all of this is proven: please check the patient, the day and the eyes.',
}

/** As 0.1 showed it; what is in review says in this version that it may rest on names alone, and nothing else differs. */
function shownNow(details: SubmissionDetails): SubmissionDetails {
  return details.state === 'review'
    ? { ...details, reasons: [...details.reasons, READ_FROM_NAMES] as SubmissionDetails['reasons'] }
    : details
}

describe('the outbox that version 0.1 wrote', () => {
  it('shows every case as 0.1 showed it, and says which may rest on names alone', () => {
    const { outbox } = openFixtureOutbox()
    const listed = outbox.submissions.list({ limit: 1_000 })
    expect(listed.counts).toEqual(counts)
    expect(listed.items.map(({ id }) => id)).toEqual(cases.map(({ details }) => details.id).toReversed())
    for (const { details, story } of cases)
      expect.soft(outbox.submissions.details(details.id), story).toMatchObject(shownNow(details))
    const inReview = outbox.submissions.list({ state: ['review'], limit: 1_000 }).items
    expect(inReview.length).toBeGreaterThan(12)
    expect(inReview.every(({ verdict }) => restsOnProposal(verdict))).toBe(true)
  })

  it('keeps what the trail says of every case', () => {
    const { outbox } = openFixtureOutbox()
    for (const { details, audit, story } of cases) {
      const entries = outbox.audit.list({ submissionId: details.id, limit: 1_000 }).toReversed()
      const sentences = entries.map(({ what, by }) => (by === null ? what : `${what} by ${by}`))
      expect.soft(sentences, story).toEqual(audit)
    }
  })

  it('has its open alarms', () => {
    expect(openFixtureOutbox().outbox.alarms.listOpen()).toEqual(alarms)
  })
})

/** Loses the database, builds it again, and opens it as a start does. */
async function recovered(folder: string): Promise<OutboxWithManifests> {
  loseDatabase(folder)
  const sentences = await recoverOutbox(folder, MORNING)
  expect(sentences.map(({ message }) => message).join(' ')).toContain('outbox-2026-11-23.sqlite')
  return openWithManifests(folder)
}

/** What is the same in any later state of a case. */
function identityOf({ id, reference, centerId, images }: SubmissionDetails): object {
  return { id, reference, centerId, images: images.map(({ sha256, eye }) => ({ sha256, eye })) }
}

describe('the backup that version 0.1 wrote', () => {
  it('restores with the manifests: every case is there, and nothing that was not sent may go', async () => {
    const { outbox } = await recovered(copyFixtureOutbox())
    for (const { details, story } of cases) {
      const found = outbox.submissions.details(details.id)
      expect.soft(found, story).toMatchObject({ ...identityOf(details), fields: details.fields })
      const isOver = details.state === 'sent' || details.state === 'discarded'
      expect.soft(found?.state, story).toBe(isOver ? details.state : 'unconfirmed')
      expect.soft(found?.caseId, story).toBe(details.caseId)
    }
  })

  it('restores alone: what it knew is there', async () => {
    const folder = copyFixtureOutbox()
    rmSync(manifestsFolderIn(folder), { recursive: true })
    const { outbox } = await recovered(folder)
    const known = cases.filter(({ details }) => outbox.manifests.isKnown(details.id))
    expect(known.length).toBeGreaterThan(50)
    for (const { details, story } of known) {
      const { state, images } = outbox.submissions.details(details.id) ?? {}
      expect.soft(['sent', 'discarded', 'unconfirmed'], story).toContain(state)
      expect
        .soft(
          images?.map(({ sha256 }) => sha256),
          story,
        )
        .toEqual(details.images.map(({ sha256 }) => sha256))
    }
  })
})
