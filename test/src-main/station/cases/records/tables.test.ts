import { describe, expect, it } from 'vitest'
import { readAs, recordAs, recordsAs, rejectedFields } from './read-as.ts'

const SPANISH = `Nº Historia;Apellidos;Nombre;Sexo;Fecha de nacimiento;Fecha visita;Ojo;Archivo;PIO;Esfera
004512;Muñoz Peña;Ana;Mujer;02/06/1970;20/11/2026;OD;004512_R_1.bmp;14;-1,25
004512;Muñoz Peña;Ana;Mujer;02/06/1970;20/11/2026;OI;004512_L_1.bmp;15,5;+0,5
H-77;"López; de Haro";Juan;Varón;25/12/1950;20/11/2026;OI;sub\\77_1.bmp;;
`
/** Without quotes; `@` is the semicolon of a name. */
const PLAIN = SPANISH.replaceAll('"', '').replace('López;', 'López@')
const QUOTED = PLAIN.replaceAll(/[^;\n]+/g, '"$&"')

const ANA = {
  fields: {
    history_number: '004512',
    last_name: 'Muñoz Peña',
    first_name: 'Ana',
    gender: 1,
    visit_date: '2026-11-20',
    od_iop: 14,
    os_iop: 15.5,
    od_sphere: -1.25,
    os_sphere: 0.5,
  },
  birthDate: '1970-06-02',
  files: ['004512_R_1.bmp', '004512_L_1.bmp'],
  eyes: { '004512_R_1.bmp': 'right', '004512_L_1.bmp': 'left' },
  rejected: [],
}
const JUAN = {
  fields: {
    history_number: 'H-77',
    last_name: 'López; de Haro',
    first_name: 'Juan',
    gender: 0,
    visit_date: '2026-11-20',
  },
  birthDate: '1950-12-25',
  files: ['sub/77_1.bmp'],
  eyes: { 'sub/77_1.bmp': 'left' },
  rejected: [],
}

describe('a CSV file', () => {
  it.each([
    ['Latin-1', Buffer.from(SPANISH, 'latin1')],
    ['UTF-8', Buffer.from(SPANISH)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${SPANISH}`)],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${SPANISH}`, 'utf16le')],
    ['UTF-16 without a mark', Buffer.from(SPANISH, 'utf16le')],
    ['lines that end as on Windows', Buffer.from(SPANISH.replaceAll('\n', '\r\n'))],
    ['the separator line of spreadsheets', Buffer.from(`sep=;\r\n${SPANISH}`)],
    ['tabs', Buffer.from(PLAIN.replaceAll(';', '\t').replace('@', ';'))],
    ['commas and quotes', Buffer.from(QUOTED.replaceAll(';', ',').replace('@', ';'))],
  ])('of one row an image in %s is one record for each patient and day', (_, bytes) => {
    expect(readAs('export.csv', bytes, { dateOrder: 'dmy' })).toEqual({
      ok: true,
      form: 'table',
      trouble: null,
      records: [ANA, JUAN],
    })
  })

  it('has 0x80 as the euro sign, as Windows has', () => {
    const bytes = Buffer.concat([Buffer.from('NHC;motivo consulta\n1;'), Buffer.of(0x80, 0xf1)])
    expect(recordAs('a.csv', bytes).fields.visit_reason).toBe('€ñ')
  })

  it('of one row a patient has the measurements of both eyes', () => {
    const csv =
      'history_number,od_iop,os_iop,"IOP OD","PIO OI (mmHg)",VA right,L-Cyl,Eje OD,D IOP\n1,14,15,14,15,0.8,-0.5,90,3\n'
    expect(recordAs('a.csv', csv)).toMatchObject({
      fields: { od_iop: 14, os_iop: 15, od_va: 0.8, os_cylinder: -0.5, od_axis: 90 },
      rejected: [],
    })
  })

  it.each([
    ['PIO DER;PIO IZQ', { od_iop: 14, os_iop: 15 }],
    ['PIO RA;PIO LA', { od_iop: 14, os_iop: 15 }],
    ['PIO de la derecha;PIO de la izquierda', {}],
  ])('of both eyes under %s', (headings, fields) => {
    const { od_iop, os_iop } = recordAs('a.csv', `NHC;${headings}\n1;14;15\n`).fields
    expect(JSON.parse(JSON.stringify({ od_iop, os_iop }))).toEqual(fields)
  })

  it.each<readonly [heading: string, cell: string, record: object]>([
    ['Patient ID', '17', { fields: { history_number: '17' } }],
    ['patientid', '17', { fields: { history_number: '17' } }],
    ['ID paciente', '17', { fields: { history_number: '17' } }],
    ['Nº historia clínica', '17', { fields: { history_number: '17' } }],
    ['N.H.C.', '17', { fields: { history_number: '17' } }],
    ['MRN', '="0017"', { fields: { history_number: '0017' } }],
    ['Patienten-Nr.', '17', { fields: { history_number: '17' } }],
    ['DOB', '1970-06-02', { birthDate: '1970-06-02' }],
    ['F. Nacimiento', '19700602', { birthDate: '1970-06-02' }],
    ['Geburtsdatum', '1970/6/2', { birthDate: '1970-06-02' }],
    ['Exam date', '2026-11-20 09:15:00', { fields: { visit_date: '2026-11-20' } }],
    ['diabetes', 'Sí', { fields: { diabetes: 1 } }],
    ['patient name', 'Muñoz Peña, Ana', { fields: { last_name: 'Muñoz Peña', first_name: 'Ana' } }],
    ['patient name', 'Muñoz Ana', { fields: { last_name: 'Muñoz', first_name: 'Ana' } }],
    ['ojo izquierdo PIO', '14', { fields: { os_iop: 14 } }],
    ['OD Sphere (dpt)', '-,75', { fields: { od_sphere: -0.75 } }],
  ])('is understood under the heading %s', (heading, cell, record) => {
    expect(recordAs('a.csv', `${heading};x\n"${cell.replaceAll('"', '""')}";1\n`)).toMatchObject({
      ...record,
      rejected: [],
    })
  })

  it('is read by the words of a profile, before all others', () => {
    const person = { ' expediente ': 'history_number', nac: 'birth_date', 'patient id': '' }
    const columns = { ...person, Lado: 'eye', toma: 'file', PIO: 'ignored' }
    const csv = 'Expediente;LADO;Toma;Nac;PIO;Patient ID\nA-17;R;1.jpg;1970-06-02;14;99\n'
    expect(recordAs('a.csv', csv, { columns })).toEqual({
      fields: { history_number: 'A-17' },
      birthDate: '1970-06-02',
      files: ['1.jpg'],
      eyes: { '1.jpg': 'right' },
      rejected: [],
    })
  })

  it('with two surnames has both, and two words in the order of the profile', () => {
    const csv = 'NHC;Apellido 1;Apellido 2;Nombre\n1;Muñoz;Peña;Ana\n'
    expect(recordAs('a.csv', csv).fields).toMatchObject({ last_name: 'Muñoz Peña', first_name: 'Ana' })
    const full = 'NHC;Paciente nombre\n1;Ana Muñoz\n2;Ana María Muñoz Peña\n'
    const [two, four] = recordsAs('a.csv', full, { nameOrder: 'firstLast' })
    expect(two?.fields).toMatchObject({ last_name: 'Muñoz', first_name: 'Ana' })
    expect(four).toMatchObject({ fields: { history_number: '2' }, rejected: [{ field: 'last_name' }] })
    const parted = 'NHC;Paciente nombre\n1;Muñoz^Ana^María\n2;Muñoz,\n'
    const [whole, half] = recordsAs('a.csv', parted)
    expect(whole?.fields).toMatchObject({ last_name: 'Muñoz', first_name: 'Ana María' })
    expect(half).toMatchObject({ fields: { history_number: '2' }, rejected: [{ field: 'last_name' }] })
  })

  it.each<readonly [cell: string, order: 'ymd' | 'dmy' | 'mdy', day: string | null]>([
    ['1970-06-02', 'dmy', '1970-06-02'],
    ['19700602', 'mdy', '1970-06-02'],
    ['02.06.1970', 'dmy', '1970-06-02'],
    ['02.06.1970', 'mdy', '1970-02-06'],
    ['2/6/1970', 'dmy', '1970-06-02'],
    ['02061970', 'dmy', '1970-06-02'],
    ['12/25/1970 9:05 AM', 'mdy', '1970-12-25'],
    ['02.06.1970', 'ymd', null],
    ['25.12.1970', 'ymd', null],
    ['12/25/1970', 'dmy', null],
    ['02/06/70', 'dmy', null],
    ['02/06.1970', 'dmy', null],
    ['31.02.1970', 'dmy', null],
    ['0001-01-01', 'ymd', null],
    ['1970-6', 'ymd', null],
  ])('takes the day %s in the order %s as %s', (cell, dateOrder, day) => {
    const record = recordAs('a.csv', `NHC;DOB\n1;${cell}\n`, { dateOrder })
    expect(record.birthDate).toBe(day)
    expect(rejectedFields(record)).toEqual(day === null ? ['birth_date'] : [])
  })

  it('says how the order of dates is set, and no value', () => {
    const [rejected] = recordAs('a.csv', 'NHC;DOB\n1;02.06.1970\n').rejected
    expect(rejected).toMatchObject({
      wording: { values: { expected: { key: 'intake:dataFile.expected.dayOrder' } } },
    })
    expect(rejected?.message).not.toContain('1970')
  })

  it.each<readonly [heading: string, cells: string, genders: readonly (0 | 1 | null)[]]>([
    ['sexo', 'Hombre,Mujer,varón,femenino', [0, 1, 0, 1]],
    ['sexo', 'M,F', [0, 1]],
    ['sexo', 'H,M', [0, 1]],
    ['sexo', 'V,M', [0, 1]],
    ['sexo', 'V,H', [0, 1]],
    ['sexo', 'M,M', [null, null]],
    ['sexo', 'H', [null]],
    ['sexo', 'M,F,H', [null, 1, null]],
    ['sexo', 'M,H,V', [null, null, 0]],
    ['Sex', 'M,M', [0, 0]],
    ['gender', 'm,f.', [0, 1]],
    ['sex', 'H,M', [0, 1]],
    ['sex', 'V,M', [null, null]],
    ['sex', 'V', [null]],
    ['Geschlecht', 'm,w,männlich,Frau', [0, 1, 0, 1]],
    ['sexe', 'H,F', [0, 1]],
    ['sexo', '1,2', [null, null]],
    ['gender', '1,0', [null, null]],
    ['sex', 'constructor,?', [null, null]],
  ])('under %s reads the sexes %s as %j', (heading, cells, genders) => {
    const rows = cells.split(',').map((cell, index) => `${index + 1};${cell}\n`)
    const records = recordsAs('a.csv', `NHC;${heading}\n${rows.join('')}`)
    expect(records.map(({ fields }) => fields.gender ?? null)).toEqual(genders)
    expect(records.map((record) => rejectedFields(record).length === 0)).toEqual(
      genders.map((gender) => gender !== null),
    )
  })

  it('with the names of the interface has its codes of a gender, unless there is one that it does not have', () => {
    expect(recordAs('a.csv', 'history_number,gender\nA,1\n').fields.gender).toBe(1)
    const two = recordsAs('a.csv', 'history_number,gender\nA,1\nB,2\n')
    expect(two.map(({ fields }) => fields.gender)).toEqual([undefined, undefined])
  })

  it('that states one field with different values gives none, and the others hold', () => {
    const csv =
      'NHC;fecha;nombre;edad;eye;file\n1;2026-11-20;Ana;54;OD;a.jpg\n1;2026-11-20;ANA;55;OS;b.jpg\n1;2026-11-20;ana;54;OS;a.jpg\n'
    const record = recordAs('a.csv', csv)
    expect(record.fields).toEqual({ history_number: '1', visit_date: '2026-11-20', first_name: 'Ana' })
    expect(record.eyes).toEqual({ 'b.jpg': 'left' })
    expect(record.files).toEqual(['a.jpg', 'b.jpg'])
    expect(rejectedFields(record)).toEqual(['age', 'eye'])
  })

  it.each([
    ['Luis', 'Luisa', true],
    ['Valentin', 'Valentina', true],
    ['Andrea', 'Andreas', true],
    ['Ana', 'Ana Maria', false],
    ['José', 'JOSE', false],
    ['M.', 'Marta', false],
  ])('asks who it is if first names under one number are %s and %s: %s', (one, other, isAsked) => {
    const csv = `NHC;apellidos;nombre;fecha;file\n501288;Serra;${one};2026-11-20;a.jpg\n501288;Serra;${other};2026-11-20;b.jpg\n`
    const [first] = recordsAs('a.csv', csv)
    expect(first?.rejected.some(({ field }) => field === 'history_number')).toBe(isAsked)
  })

  it('with one number beside two people gives its files to neither', () => {
    const csv =
      'NHC;apellidos;fecha;eye;file\n1;Muñoz;2026-11-20;OD;a.jpg\n1;López;2026-11-21;OS;b.jpg\n2;Peña;2026-11-20;OD;c.jpg\n'
    const [a, b, c] = recordsAs('a.csv', csv)
    const rejected = [{ field: 'history_number' }]
    expect(a).toMatchObject({ fields: {}, files: ['a.jpg'], eyes: { 'a.jpg': 'right' }, rejected })
    expect(b).toMatchObject({ fields: {}, files: ['b.jpg'], eyes: { 'b.jpg': 'left' }, rejected })
    expect(c).toMatchObject({ fields: { history_number: '2', last_name: 'Peña' }, rejected: [] })
  })

  it('that names no patient puts files together, but no measurements', () => {
    const eyes = { 'a.jpg': 'right', 'b.jpg': 'left' }
    expect(recordAs('a.csv', 'file;eye\na.jpg;R\nb.jpg;L\n').eyes).toEqual(eyes)
    const records = recordsAs('a.csv', 'file;eye;iop\na.jpg;R;14\nb.jpg;R;15\n')
    expect(records.map(({ fields }) => fields.od_iop)).toEqual([14, 15])
  })

  it.each<readonly [what: string, csv: string, fields: readonly string[]]>([
    ['a measurement without an eye', 'NHC;PIO\n1;14\n', ['iop']],
    ['a measurement of both eyes', 'NHC;eye;PIO\n1;OU;14\n', ['eye', 'iop']],
    ['an eye that is none', 'NHC;eye;file\n1;D;a.jpg\n', ['eye']],
    ['an eye with a number', 'NHC;eye;file\n1;OD1;a.jpg\n', ['eye']],
    ['two eyes in one', 'NHC;eye;file\n1;OD OS;a.jpg\n', ['eye']],
    ['a file outside', 'NHC;file\n1;..\\a.jpg\n', ['file']],
    ['a file of a drive', 'NHC;file\n1;C:\\a.jpg\n', ['file']],
    ['a file of the root', 'NHC;file\n1;/a.jpg\n', ['file']],
    ['a number that a spreadsheet shortened', 'NHC;eye\n"1,23457E+11";OD\n', ['history_number']],
    ['a thousand with a mark', 'NHC;od_iop\n1;"1.014,5"\n', ['od_iop']],
    ['a diabetes of a type', 'NHC;diabetes\n1;tipo 2\n', ['diabetes']],
  ])('with %s does not take it and says so', (_, csv, fields) => {
    const record = recordAs('a.csv', csv)
    expect(rejectedFields(record)).toEqual(fields)
    for (const { wording } of record.rejected)
      expect(wording?.values).toMatchObject({ file: { key: 'intake:dataFile.file.csv' } })
  })

  it('takes nothing from cells that say that there is nothing', () => {
    expect(recordAs('a.csv', 'NHC;DOB;od_iop;sexo\n1;-;N/A;\n')).toMatchObject({
      fields: { history_number: '1' },
      rejected: [],
    })
  })

  it('takes nothing from rows that do not fit under the headings, and says how many', () => {
    const csv = 'NHC,od_iop,os_iop\nA,14,5,15\nB,14\nC,13,12\nD,1'
    const reading = readAs('a.csv', csv)
    expect(reading).toMatchObject({
      ok: true,
      trouble: { wording: { key: 'intake:dataFile.misfits', values: { rows: 2 } } },
    })
    expect(recordsAs('a.csv', csv).map(({ fields }) => fields.history_number)).toEqual(['B', 'C'])
  })

  it.each<readonly [what: string, content: string | Buffer, isForeign: boolean]>([
    ['is of another program', 'name;email\nx;y\n', true],
    ['is a text', 'Dear colleague,\nthank you, and goodbye.\n', true],
    ['is an image', Buffer.of(0xff, 0xd8, 0xff, 0xe0, 0, 0, 1, 0), true],
    ['is empty', '', true],
    ['holds zeros', 'NHC;DOB\n1\u0000;1970-06-02\n', true],
    ['holds headings only', 'NHC;DOB\n', false],
    ['has a quote without end', 'NHC;DOB\n1;"1970\n', false],
    ['has too many rows', `NHC\n${'1\n'.repeat(20_001)}`, false],
    ['repeats a heading far behind', `sep=|\n${'patient_id|'.repeat(121)}\n1|\n`, false],
    ['is too large', Buffer.alloc(16 * 1_024 * 1_024 + 1, ' '), false],
  ])('that %s is not read', (_, content, isForeign) => {
    expect(readAs('a.csv', content)).toMatchObject({ ok: false, isForeign })
  })

  it('with twenty thousand rows is read', () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => `${row}\n`)
    expect(recordsAs('a.csv', `NHC\n${rows.join('')}`)).toHaveLength(20_000)
  })
})
