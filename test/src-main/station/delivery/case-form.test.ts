import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readlinkSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type CaseForm,
  caseForm,
  type FormImage,
  type FormFile,
  ImageDamaged,
  multipartBody,
  type MultipartBody,
} from '../../../../src-main/station/delivery/transfer.ts'
import { referencesIn } from '../../../../src-main/station/delivery/match-cases.ts'
import type { ServiceCase } from '../../../../src-shared/case.ts'
import { FIELD_NAMES, type Fields } from '../../../../src-shared/fields.ts'
import { readMultipart } from '../../../by-the-book-service/multipart-by-the-book.ts'
import { inGroups } from '../../../../src-shared/reference.ts'
import { addTestImage, MORNING, newSubmission, someBytes } from '../../../tools/outbox-with.ts'
import { sentCase } from '../../../tools/sent-case.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { sending } from './delivery-with.ts'

const REFERENCE = 'FC00000000Q'
const SERVICE = { callbackUrl: null, referenceField: 'other_relevant_info' } as const
const UNMARKED = { ...SERVICE, referenceField: null }

function image(eye: FormImage['eye'], contentType: FormImage['contentType'] = 'image/jpeg'): FormImage {
  return { id: `${eye} ${contentType}`, eye, path: '/spool/x', contentType, sizeBytes: 1, sha256: 'x' }
}

function fieldsOf(fields: Fields, service: Parameters<typeof caseForm>[0]['service'] = SERVICE): object {
  const form = caseForm({ reference: REFERENCE, fields, images: [], service })
  expect(new Set(form.fields.map(({ name }) => name)).size).toBe(form.fields.length)
  return Object.fromEntries(form.fields.map(({ name, value }) => [name, value]))
}

describe('the fields of a form', () => {
  it('are all of the submission, under their exact names, each once', () => {
    const all = Object.fromEntries(
      FIELD_NAMES.map((name) => [name, /^o[ds]_|^age$/.test(name) ? 1.5 : 'text']),
    ) as Fields
    const fields = { ...all, gender: 1, diabetes: 0, visit_date: '2026-11-20' } as const
    const form = fieldsOf(fields, { callbackUrl: 'https://clinic.example/hook', referenceField: null })
    expect(form).toEqual({
      ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])),
      callback_url: 'https://clinic.example/hook',
    })
  })

  it.each<[string, Fields, object]>([
    [
      'have no part for what was not stated, and one for zero',
      { gender: 0, od_iop: 0, first_name: '' },
      { gender: '0', od_iop: '0' },
    ],
    [
      'write numbers as they are',
      { od_sphere: -2.25, od_va: 0.1, age: 61 },
      { od_sphere: '-2.25', od_va: '0.1', age: '61' },
    ],
    [
      'carry no reference if the clinic wants none',
      { other_relevant_info: 'Cataract.' },
      { other_relevant_info: 'Cataract.' },
    ],
  ])('%s', (_what, fields, form) => expect(fieldsOf(fields, UNMARKED)).toEqual(form))

  it('carry the reference on a last line of its own, the original text first', () => {
    expect(fieldsOf({ other_relevant_info: 'Cataract.\nSee notes.' })).toEqual({
      other_relevant_info: `Cataract.\nSee notes.\n${REFERENCE}`,
    })
    expect(fieldsOf({})).toEqual({ other_relevant_info: REFERENCE })
    expect(fieldsOf({ other_relevant_info: '' })).toEqual({ other_relevant_info: REFERENCE })
    expect(fieldsOf({ visit_reason: 'Control' }, { ...SERVICE, referenceField: 'visit_reason' })).toEqual({
      visit_reason: `Control\n${REFERENCE}`,
    })
  })
})

describe('the files of a form', () => {
  it('are named by reference, eye and number, with the ending of what they are', () => {
    const images = [
      image('right'),
      image('left', 'image/png'),
      image('right', 'image/tiff'),
      image('unknown'),
    ]
    const { files } = caseForm({
      reference: REFERENCE,
      fields: { history_number: 'H-00017', first_name: 'Ada' },
      images,
      service: SERVICE,
    })
    expect(files.map((file) => file.fileName)).toEqual([
      `${REFERENCE}_OD_1.jpg`,
      `${REFERENCE}_OS_1.png`,
      `${REFERENCE}_OD_2.tif`,
      `${REFERENCE}_XX_1.jpg`,
    ])
    expect(files.map((file) => file.id)).toEqual(images.map(({ id }) => id))
  })
})

const NOTHING = (): Promise<void> => Promise.resolve()
const READ_BYTES = 256 * 1024

/** A file in the spool, as the form promises it. */
function spooled(folder: string, id: string, sizeBytes: number): FormFile & { readonly bytes: Buffer } {
  const bytes = Buffer.alloc(sizeBytes, `${id} \r\n--fundus-courier`)
  const path = join(folder, id)
  writeFileSync(path, bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const fileName = `${id}.jpg`
  return { id, eye: 'right', fileName, path, contentType: 'image/jpeg', sizeBytes, sha256, bytes }
}

const FIELDS = [
  { name: 'history_number', value: 'H-00017' },
  { name: 'first_name', value: 'Zoë "the" Ümläut' },
  { name: 'other_relevant_info', value: 'line one\r\n--line two\nFC00000000Q' },
]

async function wholeOf(body: MultipartBody): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of body.stream()) pieces.push(Uint8Array.from(piece))
  return Buffer.concat(pieces)
}

/** What came before the stream stopped, and with what it stopped. */
async function untilStop(body: MultipartBody): Promise<{ readonly bytes: Buffer; readonly error: unknown }> {
  const pieces: Uint8Array[] = []
  try {
    for await (const piece of body.stream()) pieces.push(Uint8Array.from(piece))
  } catch (error) {
    return { bytes: Buffer.concat(pieces), error }
  }
  return { bytes: Buffer.concat(pieces), error: null }
}

function openIn(folder: string): string[] {
  return readdirSync('/proc/self/fd')
    .map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`)
      } catch {
        // The descriptor of this very listing is closed by now.
        return ''
      }
    })
    .filter((path) => path.startsWith(folder))
}

describe('a multipart body', () => {
  it.each([
    ['fields and files', FIELDS, [0, 1, 5_000, READ_BYTES, READ_BYTES + 1, 3 * READ_BYTES - 7]],
    ['fields only', FIELDS, []],
    ['one file only', [], [READ_BYTES * 2]],
    ['nothing', [], []],
  ])('of %s is exactly as long as it says and reads back byte for byte', async (_what, fields, sizes) => {
    const folder = temporaryFolder()
    const files = sizes.map((size, index) => spooled(folder, `image-${index}`, size))
    const body = multipartBody({ fields, files }, NOTHING)
    const bytes = await wholeOf(body)
    expect(bytes.length).toBe(body.contentLength)
    // A form without parts has no place in the RFC; what counts there is the length.
    if (fields.length + files.length === 0) return
    const parts = readMultipart(body.contentType, bytes)
    const plain = { fileName: null, contentType: null }
    const texts = fields.map(({ name, value }) => ({ name, ...plain, bytes: Buffer.from(value) }))
    expect(parts.slice(0, fields.length)).toEqual(texts)
    const got = parts.slice(fields.length)
    expect(got.map(({ name, fileName, contentType }) => ({ name, fileName, contentType }))).toEqual(
      files.map(({ fileName, contentType }) => ({ name: 'images[]', fileName, contentType })),
    )
    expect(got.every((part, index) => part.bytes.equals(files[index]?.bytes ?? Buffer.of(1)))).toBe(true)
    expect(body.stoppedBy()).toBeNull()
  })

  it('holds its last bytes back until it has been written down that they go', async () => {
    const folder = temporaryFolder()
    let taken = 0
    let takenThen = -1
    const body = multipartBody({ fields: FIELDS, files: [spooled(folder, 'image', 9_000)] }, async () => {
      takenThen = taken
    })
    for await (const piece of body.stream()) taken += piece.length
    expect(takenThen).toBeGreaterThan(9_000)
    expect(takenThen).toBeLessThan(body.contentLength)
  })

  it('releases no last bytes if that cannot be written down', async () => {
    const body = multipartBody({ fields: FIELDS, files: [] }, () => Promise.reject(new Error('disk full')))
    const { bytes, error } = await untilStop(body)
    expect(error).toMatchObject({ message: 'disk full' })
    expect(bytes.length).toBeLessThan(body.contentLength)
  })

  it('never writes into what it has handed over', async () => {
    const folder = temporaryFolder()
    const file = spooled(folder, 'image', 40 * READ_BYTES)
    const taken: { readonly piece: Uint8Array; readonly copy: Uint8Array }[] = []
    for await (const piece of multipartBody({ fields: [], files: [file] }, NOTHING).stream())
      taken.push({ piece, copy: Uint8Array.from(piece) })
    expect(taken.filter(({ piece }) => piece.length === READ_BYTES)).toHaveLength(40)
    expect(taken.filter(({ piece, copy }) => Buffer.compare(piece, copy) !== 0)).toEqual([])
  })
})

const DAMAGES: readonly (readonly [string, (path: string) => void])[] = [
  ['a flipped bit', (path) => writeFileSync(path, Buffer.alloc(300_000, 0x41).fill(0x40, 150_000, 150_001))],
  ['a missing end', (path) => truncateSync(path, 299_999)],
  ['nothing left in it', (path) => truncateSync(path, 0)],
  ['no file any more', (path) => rmSync(path)],
]

describe.each(DAMAGES)('an image with %s', (_what, damage) => {
  async function stopped(
    folder: string,
  ): Promise<Awaited<ReturnType<typeof untilStop>> & { body: MultipartBody }> {
    const file = { ...spooled(folder, 'second', 300_000) }
    writeFileSync(file.path, Buffer.alloc(300_000, 0x41))
    const sha256 = createHash('sha256').update(Buffer.alloc(300_000, 0x41)).digest('hex')
    damage(file.path)
    const form: CaseForm = { fields: FIELDS, files: [spooled(folder, 'first', 100), { ...file, sha256 }] }
    const body = multipartBody(form, async () => expect.unreachable('the last bytes must not go'))
    return { ...(await untilStop(body)), body }
  }

  it('stops the body before its end', async () => {
    const { body, bytes, error } = await stopped(temporaryFolder())
    expect(error).toBeInstanceOf(ImageDamaged)
    expect(bytes.length).toBeLessThan(body.contentLength)
    expect(bytes.includes(`--${body.contentType.split('boundary=')[1] ?? ''}--`)).toBe(false)
  })

  it('remains damaged if the disk refuses later', async () => {
    const folder = temporaryFolder()
    const { body } = await stopped(folder)
    rmSync(join(folder, 'first'))
    mkdirSync(join(folder, 'first'))
    expect((await untilStop(body)).error).not.toBeInstanceOf(ImageDamaged)
    expect(body.stoppedBy()).toBe('damage')
  })

  it.skipIf(process.platform !== 'linux')('leaves no file open', async () => {
    const folder = temporaryFolder()
    await stopped(folder)
    expect(openIn(folder)).toEqual([])
  })
})

describe.skipIf(process.platform !== 'linux')('files', () => {
  it('are closed when the reader goes away in the middle', async () => {
    const folder = temporaryFolder()
    const body = multipartBody({ fields: [], files: [spooled(folder, 'image', 3 * READ_BYTES)] }, NOTHING)
    const reader = body.stream()[Symbol.asyncIterator]()
    for (let count = 0; count < 3; count += 1) await reader.next()
    expect(openIn(folder)).toHaveLength(1)
    await reader.return?.()
    expect(openIn(folder)).toEqual([])
  })
})

describe('a corrected case', () => {
  it('names the case that it corrects, so that no list shows it under the other reference', async () => {
    const wrong = { id: '', reference: '' }
    const { test } = await sending({}, (made, id) => {
      wrong.id = sentCase(made, '4711')
      wrong.reference = made.outbox.rowOf(wrong.id)?.reference ?? ''
      const replacing = made.outbox.createSubmission(newSubmission({ replaces: wrong.id }))
      addTestImage(made, replacing, { bytes: someBytes() })
      made.outbox.moveSubmission(replacing, 'gatheredToSend', {}, { at: MORNING })
      made.outbox.moveSubmission(id, 'held', {}, { at: MORNING })
    })
    const texts = test.service.posts[0]?.parts.map((part) => String(part.bytes)).join('\n') ?? ''
    expect(texts).toContain(`Replaces case 4711 (${inGroups(wrong.reference)}), which was sent wrongly.`)
    const listed = { raw: { texts } } as unknown as ServiceCase
    expect([...referencesIn(listed)]).not.toContain(wrong.reference)
    expect(referencesIn(listed).size).toBe(1)
  })
})
