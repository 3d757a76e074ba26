import { truncateSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SECOND } from '../../../../src-shared/durations.ts'
import { addWaiting, MORNING, someBytes, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith, outcomesOf } from './delivery-with.ts'

describe('a case that waits', () => {
  it('is posted whole, bound to its id, read back, and watched for its report', async () => {
    const test = deliveryWith()
    const images = [someBytes(300_000), someBytes(10)]
    const id = addWaiting(test, {
      fields: {
        history_number: 'H-00017',
        visit_date: '2026-11-20',
        gender: 0,
        other_relevant_info: 'Cataract.',
      },
      images: [{ bytes: images[0] ?? someBytes() }, { bytes: images[1] ?? someBytes(), eye: 'left' }],
    })
    test.open()
    await test.clock.turn(1_000)
    const details = test.outbox.submissions.details(id)
    const reference = details?.reference ?? ''
    const [post] = test.service.posts
    expect(test.service.posts).toHaveLength(1)
    expect(
      post?.parts.filter((part) => part.fileName === null).map((part) => [part.name, String(part.bytes)]),
    ).toEqual([
      ['history_number', 'H-00017'],
      ['gender', '0'],
      ['visit_date', '2026-11-20'],
      ['other_relevant_info', `Cataract.\n${reference}`],
    ])
    const files = post?.parts.filter((part) => part.fileName !== null) ?? []
    expect(files.map((part) => [part.name, part.fileName])).toEqual([
      ['images[]', `${reference}_OD_1.jpg`],
      ['images[]', `${reference}_OS_1.jpg`],
    ])
    expect(files.every((part, index) => part.bytes.equals(images[index] ?? Buffer.of(0)))).toBe(true)
    const [attempt] = details?.attemptList ?? []
    expect(details).toMatchObject({
      state: 'sent',
      caseId: '100',
      failure: null,
      notBefore: null,
      attempts: 1,
    })
    expect(details?.confirmedAt).toBe(MORNING + SECOND)
    expect(attempt).toMatchObject({ outcome: 'delivered', phase: 'ended', failure: null })
    expect(attempt?.handedOverBytes).toBe(attempt?.requestBytes)
    expect(test.outbox.reports.dueWatches(MORNING + 1_000)).toMatchObject([
      { case_id: '100', submission_id: id },
    ])
    expect(test.outbox.facts.read('lastSentAt')).toBe(String(MORNING))
  })

  it('leaves out the images that a person has left out', async () => {
    const test = deliveryWith()
    const id = addWaiting(test, { images: [{ bytes: someBytes() }, { bytes: someBytes(), eye: 'left' }] })
    test.outbox.images.setExcluded(test.outbox.images.rows(id)[0]?.id ?? '', 'blurred')
    test.outbox.approvals.set(id)
    test.open()
    await test.clock.settle()
    const names = test.service.posts[0]?.parts.map((part) => part.fileName).filter((name) => name !== null)
    expect(names).toEqual([`${test.outbox.submissions.get(id)?.reference ?? ''}_OS_1.jpg`])
  })

  it('that is no longer what was passed for sending goes to a person, and not to the service', async () => {
    const test = deliveryWith()
    const id = addWaiting(test, { images: [{ bytes: someBytes() }, { bytes: someBytes(), eye: 'left' }] })
    test.outbox.images.setExcluded(test.outbox.images.rows(id)[0]?.id ?? '', 'blurred')
    test.open()
    await test.clock.settle()
    expect(test.service.posts).toEqual([])
    expect(test.outbox.submissions.get(id)?.state).toBe('review')
  })

  it('tells how far it is, to the last byte', async () => {
    const test = deliveryWith()
    const id = addWaiting(test, { images: [{ bytes: someBytes(600_000) }] })
    test.open()
    await test.clock.settle()
    const bytes = test.progress.map(([, handedOver]) => handedOver)
    expect(bytes).toEqual(bytes.toSorted((left, right) => left - right))
    expect(test.progress.at(-1)).toEqual([id, bytes.at(-1), bytes.at(-1)])
  })

  it('goes before older ones where it is urgent', async () => {
    const test = deliveryWith({ delivery: { concurrency: 1 } })
    const ids = [1, 2, 3].map(() => addWaiting(test))
    test.outbox.submissions.setUrgent(ids[2] ?? '', MORNING)
    test.open()
    await test.clock.settle()
    const order = ids.map((id) => Number(test.outbox.submissions.row(id)?.case_id))
    expect(order).toEqual([101, 102, 100])
  })

  it('is written down before a byte leaves, phase by phase', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    const phases: (string | undefined)[] = []
    test.service.plan = () => {
      phases.push(test.outbox.attempts.of(id)[0]?.phase, stateOf(test, id) ?? '')
      return { kind: 'silent' }
    }
    const delivery = test.open()
    await test.clock.settle()
    phases.push(test.outbox.attempts.of(id)[0]?.phase)
    expect(phases).toEqual(['sending', 'sending', 'handedOver'])
    test.service.release()
    await delivery.close()
  })
})

describe('what the service does not take', () => {
  it.each([
    [422, { error: 'visit_date is missing' }, 'serviceRefused', 'visit_date is missing'],
    [413, {}, 'tooLarge', undefined],
    [200, { success: false, content: 'No images' }, 'serviceRefused', 'No images'],
  ])('with %i is parked in its words, with the size beside them', async (status, body, kind, said) => {
    const test = deliveryWith()
    const [refused, other] = [addWaiting(test), addWaiting(test)]
    test.service.plan = (number) => (number === 1 ? { kind: 'answered', status, body } : { kind: 'taken' })
    test.open()
    await test.clock.turn(60 * 60_000)
    const details = test.outbox.submissions.details(refused)
    expect(details).toMatchObject({ state: 'refused', failure: { kind, status }, notBefore: null })
    expect(details?.failure?.serviceSaid).toBe(said)
    expect(details?.failure?.requestBytes).toBe(details?.attemptList[0]?.requestBytes)
    expect(outcomesOf(test, refused)).toEqual(['refused'])
    expect(stateOf(test, other)).toBe('sent')
  })

  it('and a damaged image, of which the rest is never sent', async () => {
    const test = deliveryWith()
    const [damaged, other] = [addWaiting(test), addWaiting(test)]
    const { spool_name: spoolName = '' } = test.outbox.images.rows(damaged)[0] ?? {}
    truncateSync(test.spoolPath(spoolName), 10)
    test.open()
    await test.clock.turn(60_000)
    expect(test.outbox.submissions.get(damaged)).toMatchObject({
      state: 'refused',
      failure: { kind: 'imageDamaged' },
    })
    const [attempt] = test.outbox.attempts.of(damaged)
    expect(attempt?.handed_over_bytes).toBeLessThan(attempt?.request_bytes ?? 0)
    expect(stateOf(test, other)).toBe('sent')
    expect(test.service.posts).toHaveLength(1)
  })
})
