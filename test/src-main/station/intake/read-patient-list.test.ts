import { describe, expect, it } from 'vitest'
import {
  findInPatientList,
  type PatientList,
  readPatientList,
} from '../../../../src-main/station/intake/patient-list.ts'

const CSV = `NHC;Apellidos;Nombre;Sexo;Fecha nacimiento;Edad;Diabetes;Antecedentes;Ojo;Archivo;PIO;Fecha
004512;Muñoz Peña;Ana;Mujer;02.06.1970;54;Sí;glaucoma;OD;a.jpg;14;20.11.2026
h-77;López;Juan;Hombre;25.12.1950;70;No;;;;;
`

function read(content: string | Buffer, columns = {}): { list: PatientList; message: string | undefined } {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const reading = readPatientList(bytes, { columns, dateOrder: 'dmy' })
  if (!reading.ok) throw new Error(reading.problem.message)
  return { list: reading.list, message: reading.unused?.message }
}

describe('a patient list', () => {
  it('knows what is the patient’s, and nothing of a visit, an eye or a file', () => {
    const { list, message } = read(Buffer.from(CSV, 'latin1'))
    expect(message).toBeUndefined()
    expect(findInPatientList(list, '004512')).toEqual({
      fields: {
        last_name: 'Muñoz Peña',
        first_name: 'Ana',
        gender: 1,
        diabetes: 1,
        ophthalmic_antecedents: 'glaucoma',
      },
      birthDate: '1970-06-02',
      files: [],
      eyes: {},
      rejected: [],
      ignoredCount: 0,
    })
  })

  it.each([
    ['H-77', true],
    [' h-77 ', true],
    ['H77', false],
    ['4512', false],
    ['0004512', false],
    ['004512', true],
    ['', false],
    ['__proto__', false],
  ])('finds %j: %s, whatever the capitals, and never by other zeros', (number, isFound) => {
    expect(findInPatientList(read(CSV).list, number) !== null).toBe(isFound)
  })

  const twice: readonly (readonly [what: string, rows: string, isUsed: boolean])[] = [
    ['the same person', '1;Muñoz;Ana;02.06.1970\n1;MUÑOZ;ana;02.06.1970\n', true],
    ['one person in parts', '1;Muñoz;;\n1;;Ana;02.06.1970\n', true],
    ['two last names', 'a-1;Muñoz;Ana;02.06.1970\nA-1;López;Ana;02.06.1970\n', false],
    ['two birth dates', '1;Muñoz;Ana;02.06.1970\n1;Muñoz;Ana;03.06.1970\n', false],
    ['twins', '1;Muñoz;Ana;02.06.1970\n1;Muñoz;Eva;02.06.1970\n', false],
    ['two people and a third row', '1;Muñoz;Ana;\n1;López;Ana;\n1;Muñoz;Ana;\n', false],
  ]
  it.each(twice)('with one number twice for %s: used %s', (_, rows, isUsed) => {
    const { list, message } = read(`NHC;Apellidos;Nombre;DOB\n${rows}2;Peña;Eva;\n`)
    expect((findInPatientList(list, '1') ?? findInPatientList(list, 'a-1')) !== null).toBe(isUsed)
    expect(findInPatientList(list, '2') !== null).toBe(true)
    if (isUsed) expect(message).toBeUndefined()
    else expect(message).toMatch(/: 1 history number beside different people\./)
  })

  it('says what of it is not used, without naming it', () => {
    const { list, message } = read('NHC;Apellidos;DOB\n1;Muñoz;1970\n;Peña;\n3;x;y;z\n')
    expect(findInPatientList(list, '1')).toMatchObject({ rejected: [{ field: 'birth_date' }] })
    expect(message).toMatch(
      /1 row without a usable history number, 1 row that does not fit.*, 1 patient with values/,
    )
    expect(message).not.toMatch(/Muñoz|Peña|1970/)
  })

  it('is read by the headings that the settings name', () => {
    const { list } = read('Expediente,Nac\nX-1,02/06/1970\n', {
      expediente: 'history_number',
      nac: 'birth_date',
    })
    expect(findInPatientList(list, 'x-1')?.birthDate).toBe('1970-06-02')
  })

  it.each([
    ['nothing', ''],
    ['no numbers', 'Apellidos;Nombre\nMuñoz;Ana\n'],
    ['headings only', 'NHC;Apellidos\n'],
    ['an image', Buffer.of(0xff, 0xd8, 0xff, 0, 1, 0)],
    ['a quote without end', 'NHC;Apellidos\n1;"Muñoz\n'],
  ])('that holds %s is not used, with a sentence', (_, content) => {
    const reading = readPatientList(Buffer.from(content), { columns: {}, dateOrder: 'ymd' })
    expect(reading).toMatchObject({
      ok: false,
      problem: { message: expect.stringMatching(/^The patient list .*Save it again as CSV/) },
    })
  })
})
