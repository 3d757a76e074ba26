import { describe, expect, it } from 'vitest'
import { FIELD_NAMES, type Fields } from '../../../../src-shared/fields.ts'
import { caseForm, type FormImage } from '../../../../src-main/station/delivery/case-form.ts'

const REFERENCE = 'FC00000000Q'
const SERVICE = { callbackUrl: null, referenceField: 'other_relevant_info' } as const

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

  it('have no part for what was not stated, and one for zero', () => {
    expect(
      fieldsOf(
        { history_number: 'H-1', gender: 0, od_iop: 0, first_name: '' },
        { ...SERVICE, referenceField: null },
      ),
    ).toEqual({
      history_number: 'H-1',
      gender: '0',
      od_iop: '0',
    })
  })

  it('write numbers as they are', () => {
    expect(fieldsOf({ od_sphere: -2.25, od_va: 0.1, age: 61 }, { ...SERVICE, referenceField: null })).toEqual(
      {
        od_sphere: '-2.25',
        od_va: '0.1',
        age: '61',
      },
    )
  })

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

  it('carry no reference where the clinic wants none', () => {
    expect(fieldsOf({ other_relevant_info: 'Cataract.' }, { ...SERVICE, referenceField: null })).toEqual({
      other_relevant_info: 'Cataract.',
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
    expect(files.map((file) => file.imageId)).toEqual(images.map(({ id }) => id))
  })
})
