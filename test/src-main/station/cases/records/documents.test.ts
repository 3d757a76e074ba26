import { describe, expect, it } from 'vitest'
import { readAs, recordAs, recordsAs, rejectedFields } from './read-as.ts'

const MYAH = (eyes: string): string => `<?xml version="1.0" encoding="UTF-16"?>
<XMLDataPolarExportation>
  <Patient><ID>004512</ID><LastName>Muñoz Peña</LastName><FirstName>Ana</FirstName>
    <BirthDate>1970-06-02</BirthDate><Sex>Female</Sex></Patient>
  ${eyes}
</XMLDataPolarExportation>`

const MYAH_EYE = (
  eye: string,
  day: string,
): string => `<PatientEyeData><ID>12345</ID><PatientID>004512</PatientID>
  <Eye>${eye}</Eye><Date>${day}</Date><Data><FlatK>7.89</FlatK><AxialLength>24.52</AxialLength>
  <CornealHeight><Cols>24</Cols><Axis>90</Axis></CornealHeight></Data></PatientEyeData>`

const ZEISS = `<?xml version="1.0" encoding="ISO-8859-1"?>
<EXPORT><PATIENT><PATIENT_ID>HC-004512</PATIENT_ID><LAST_NAME>Mu\u00f1oz</LAST_NAME><FIRST_NAME>Ana</FIRST_NAME>
<BIRTH_DATE>19700602</BIRTH_DATE><SEX>F</SEX></PATIENT></EXPORT>`

const AL550 = {
  DeviceModel: 'AL550',
  PatientInfo: {
    _id: 'row-77',
    pid: 77,
    firstname: 'Ana',
    lastname: 'Muñoz',
    patientId: '0000000015',
    gender: 'F',
    birthday: '1970-06-02',
    checkTime: 1_795_000_000,
  },
  Cases: [
    {
      CheckTime: '2026-11-20T09:15:00.000Z',
      OD: {
        EyeType: 'Right',
        IOP: 14,
        TopographyCase: { Data: { CorneaFront: { K1: 43.2, Axis: 88, AxisFlat: 3 } } },
      },
      OS: { EyeType: 'Left', IOP: 15, Refraction: { SPH: '-1,25', CYL: '-0.5', AX: '90°' } },
    },
  ],
}

const PROBLEM = 'intake:problem.'

const ANA = { history_number: '004512', last_name: 'Muñoz Peña', first_name: 'Ana', gender: 1 }

describe('an XML document', () => {
  it.each([
    ['with a mark', Buffer.from(`\ufeff${MYAH(MYAH_EYE('OD', '2026-11-20'))}`, 'utf16le')],
    ['without a mark', Buffer.from(MYAH(MYAH_EYE('OD', '2026-11-20')), 'utf16le')],
    ['big end first', Buffer.from(MYAH(MYAH_EYE('OD', '2026-11-20')), 'utf16le').swap16()],
    ['as declared, but saved as UTF-8', Buffer.from(MYAH(MYAH_EYE('OD', '2026-11-20')))],
  ])('of a Topcon MYAH is read in UTF-16 %s, without the number of a measurement', (_, bytes) => {
    const fields = { ...ANA, visit_date: '2026-11-20' }
    const record = { fields, birthDate: '1970-06-02', eyes: {}, rejected: [] }
    expect(recordAs('004512.xml', bytes)).toMatchObject(record)
  })

  it('with both eyes of one day is one visit, of two days two', () => {
    const eyes = (day: string): string => MYAH_EYE('OD', '2026-11-20') + MYAH_EYE('OS', day)
    expect(recordAs('a.xml', MYAH(eyes('2026-11-20'))).fields).toEqual({ ...ANA, visit_date: '2026-11-20' })
    expect(recordsAs('a.xml', MYAH(eyes('2026-11-21'))).map(({ fields }) => fields)).toEqual([
      { ...ANA, visit_date: '2026-11-20' },
      { ...ANA, visit_date: '2026-11-21' },
    ])
  })

  it('of a Zeiss export is read in the encoding that it declares', () => {
    expect(recordAs('HC-004512.xml', Buffer.from(ZEISS, 'latin1'))).toMatchObject({
      fields: { history_number: 'HC-004512', last_name: 'Muñoz', first_name: 'Ana', gender: 1 },
      birthDate: '1970-06-02',
    })
  })

  it('that is not in the encoding it declares says so', () => {
    const bytes = Buffer.from(ZEISS.replace('ISO-8859-1', 'UTF-8'), 'latin1')
    const wording = { values: { problem: { key: `${PROBLEM}encoding` } } }
    expect(readAs('a.xml', bytes)).toMatchObject({ ok: false, wording })
  })

  it('may use the interface’s names as elements or attributes', () => {
    const elements = `<case><history_number>H-17</history_number><gender>1</gender><od_iop>14</od_iop>
      <visit_reason><![CDATA[<yearly> & more]]></visit_reason><images><image file="a.jpg" eye="OD"/></images></case>`
    const record = {
      fields: { history_number: 'H-17', gender: 1, od_iop: 14 },
      files: ['a.jpg'],
      eyes: { 'a.jpg': 'right' },
    }
    expect(recordAs('a.xml', elements)).toMatchObject(record)
    expect(recordAs('a.xml', elements).fields.visit_reason).toBe('<yearly> & more')
    const attributes = `<case history_number="H-17" gender="1" od_iop="14"><image file="a.jpg" eye="OD"/></case>`
    expect(recordAs('a.xml', attributes)).toMatchObject(record)
  })

  it('may write characters as numbers, each read once', () => {
    const xml = '<p><PatientID>1</PatientID><LastName>O&apos;Mu&#241;oz &#x26;amp; &amp;lt;</LastName></p>'
    expect(recordAs('a.xml', xml).fields.last_name).toBe("O'Muñoz &amp; &lt;")
  })

  it.each<readonly [what: string, xml: string, fields: object]>([
    ['blocks of eyes', '<OD><IOP>14</IOP></OD><OS><IOP>15</IOP></OS>', { od_iop: 14, os_iop: 15 }],
    ['R and L', '<R><Sphere>-1</Sphere></R><L><SPH>2</SPH></L>', { od_sphere: -1, os_sphere: 2 }],
    ['words', '<Right><Axis>5</Axis></Right><LeftEye><AX>7</AX></LeftEye>', { od_axis: 5, os_axis: 7 }],
    ['an attribute', '<Eye side="OS"><IOP unit="mmHg">14 mmHg</IOP></Eye>', { os_iop: 14 }],
    ['a name around eyes', '<IOP><OD>14</OD><OI>15</OI></IOP>', { od_iop: 14, os_iop: 15 }],
    ['refraction', '<Refraction><refrRight><Add>2</Add></refrRight></Refraction>', { od_add: 2 }],
    ['one name', '<IOP_OD>14</IOP_OD><PIO-OI>15</PIO-OI>', { od_iop: 14, os_iop: 15 }],
    ['two values that agree', '<OD><Ref><IOP>14</IOP></Ref><IOP>14,0</IOP></OD>', { od_iop: 14 }],
    ['a cornea', '<OD><Kerato><Axis>90</Axis></Kerato></OD>', {}],
    ['eyes that contradict', '<OD><Eye>OS</Eye><IOP>14</IOP></OD>', {}],
    ['a doctor', '<Doctor><LastName>House</LastName><BirthDate>1959-01-01</BirthDate></Doctor>', {}],
    ['the day of the export', '<Header><Date>2026-01-01</Date></Header>', {}],
  ])('that states measurements by %s gives them to their eyes', (_, inner, fields) => {
    const record = recordAs('a.xml', `<Export><Patient><ID>H-17</ID></Patient>${inner}</Export>`)
    expect(record.fields).toEqual({ history_number: 'H-17', ...fields })
    expect(record.birthDate).toBeNull()
  })

  it('that states a value twice with different ones gives none and says so', () => {
    const xml =
      '<e><PatientID>1</PatientID><OD><Subjective><SPH>1</SPH></Subjective><Autoref><SPH>2</SPH></Autoref></OD></e>'
    const record = recordAs('a.xml', xml)
    expect(record.fields).toEqual({ history_number: '1' })
    expect(rejectedFields(record)).toEqual(['od_sphere'])
  })

  it('that counts its rows beside the patient’s number has the patient’s', () => {
    const xml = '<e><Patient><ID>77</ID><PatientID>HC-1</PatientID></Patient></e>'
    expect(recordAs('a.xml', xml)).toMatchObject({ fields: { history_number: 'HC-1' }, rejected: [] })
  })

  it('with two numbers for one patient takes none', () => {
    const record = recordAs('a.xml', '<e><PatientID>1</PatientID><Patient><ID>2</ID></Patient></e>')
    expect(record.fields).toEqual({})
    expect(rejectedFields(record)).toEqual(['history_number'])
  })
})

describe('a JSON document', () => {
  it('of a Mediworks AL550 keeps the zeros, and leaves the cornea and the patient’s own time out', () => {
    expect(recordAs('export.json', JSON.stringify(AL550))).toMatchObject({
      fields: {
        history_number: '0000000015',
        first_name: 'Ana',
        last_name: 'Muñoz',
        gender: 1,
        visit_date: '2026-11-20',
        od_iop: 14,
        os_iop: 15,
        os_sphere: -1.25,
        os_cylinder: -0.5,
        os_axis: 90,
      },
      birthDate: '1970-06-02',
      rejected: [],
    })
    expect(recordAs('export.json', JSON.stringify(AL550)).fields).not.toHaveProperty('od_axis')
  })

  it('with a list is one visit for each patient and day', () => {
    const list = [
      { patientId: 'A', file: 'a1.jpg', eye: 'OD', visitDate: '2026-11-20' },
      { patientId: 'B', file: 'b1.jpg', eye: 'OS' },
      { patientId: 'A', file: 'a2.jpg', eye: 'L', visitDate: '2026-11-20' },
    ]
    for (const json of [list, { patients: list }, { export: { items: list } }]) {
      expect(recordsAs('a.json', JSON.stringify(json))).toMatchObject([
        { fields: { history_number: 'A' }, eyes: { 'a1.jpg': 'right', 'a2.jpg': 'left' } },
        { fields: { history_number: 'B' }, eyes: { 'b1.jpg': 'left' } },
      ])
    }
  })

  it('in the form of case.json under another name is read alike', () => {
    const fields = { history_number: '17', gender: 0 }
    const images = { 'OD\\a.jpg': 'OD', '../b.jpg': 'OS' }
    const record = recordAs('17.json', JSON.stringify({ ...fields, images }))
    expect(record).toMatchObject({ fields, eyes: { 'OD/a.jpg': 'right' } })
    expect(rejectedFields(record)).toEqual(['file'])
  })

  it('does not take codes of a gender that may be another program’s', () => {
    expect(rejectedFields(recordAs('a.json', '{"patientId": "1", "gender": 1}'))).toEqual(['gender'])
    expect(rejectedFields(recordAs('a.json', '{"history_number": "1", "gender": 2}'))).toEqual(['gender'])
  })

  it('with names that every object has changes nothing', () => {
    const json =
      '{"patientId": "1", "__proto__": {"age": 1}, "constructor": {"lastname": "x"}, "eye": "__proto__"}'
    expect(recordAs('a.json', json).fields).toEqual({ history_number: '1' })
    expect(({} as { age?: unknown }).age).toBeUndefined()
  })
})

describe('a document that cannot be read', () => {
  it.each([
    ['package.json', '{"name": "x", "version": "1", "files": ["a"], "age": 3}'],
    ['thumbs.xml', '<thumbnails><image><file>a.jpg</file><date>2026-11-20</date></image></thumbnails>'],
    ['settings.json', '{"window": {"width": 3}, // comment'],
    ['page.xml', '<!DOCTYPE html><html><body><p>Hello</p></body></html>'],
    ['list.json', '[1, 2, 3]'],
    ['text.json', '"patientId"'],
    ['empty.xml', ''],
  ])('is left in place if it is about no case: %s', (name, content) => {
    const wording = { key: 'intake:dataFile.foreign' }
    expect(readAs(name, content)).toMatchObject({ ok: false, isForeign: true, wording })
  })

  it.each([
    ['a.json', JSON.stringify(AL550).slice(0, -20), 'noJson'],
    ['a.xml', ZEISS.replace('ISO-8859-1', 'UTF-8').slice(0, -20), 'noXml'],
    ['a.xml', '<a><PatientID>1</a></PatientID>', 'noXml'],
    ['a.xml', '<!DOCTYPE a [<!ENTITY b "c">]><a><PatientID>&b;</PatientID></a>', 'unusual'],
    ['a.xml', `<PatientID>${'<a>'.repeat(500)}`, 'unusual'],
    ['a.json', `{"patientId": ${'['.repeat(3)}{"a":`.padEnd(100), 'noJson'],
    ['a.json', `${' '.repeat(8 * 1_024 * 1_024)} `, 'tooLarge'],
    ['a.json', `{"patientId": 1, "pixels": [[${'{},'.repeat(1_500_000)}{}]]}`, 'unusual'],
  ])('says what to do when it is about a case: %s %#', (name, content, problem) => {
    const wording = { key: 'intake:dataFile.unread', values: { problem: { key: PROBLEM + problem } } }
    expect(readAs(name, content)).toMatchObject({ ok: false, isForeign: false, wording })
  })
})
