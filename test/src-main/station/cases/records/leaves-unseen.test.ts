/** What one JSON file beside an image lets leave without a person's look: it proves only what it states whole and once. */
import { describe, expect, it } from 'vitest'
import { becomes, DAY, DOUBTED, EYE, json, NUMBER, type Row, WHOLE } from './becomes.ts'

describe('a JSON document', () => {
  it.each<Row>([
    ['whole and once', json(...WHOLE), 'waiting'],
    ['in a list of one', `[${json(...WHOLE)}]`, 'waiting'],
    ['in a wrapper of its maker', `{"acmeRetina":{"v3":${json(...WHOLE)}}}`, 'waiting'],
    [
      'in a report in an answer',
      `{"version":"3","acmeAnswer":{"acmeBody":{"report":${json(...WHOLE)}}}}`,
      'waiting',
    ],
    [
      'in a document in a maker\u2019s block',
      `{"generator":"acme 4","acmeV3":{"document":${json(...WHOLE)}}}`,
      'waiting',
    ],
    ['in a device in two blocks', `{"acmeV3":{"acmeV4":{"device":${json(...WHOLE)}}}}`, 'waiting'],
    [
      'whose eye is in a report beside the patient',
      json(NUMBER, DAY, '"acmeAnswer":{"report":{"eye":"OD"}}'),
      'incomplete eyeUnknown nothingStated',
    ],
    ...['files', 'captures', 'fotos', 'acquisitions'].map((list): Row => [
      `with its ${list}`,
      json(NUMBER, DAY, `"${list}":[{"file":"4f2a.png","eye":"OD"},{"file":"77b0.png","eye":"OS"}]`),
      'waiting',
    ]),
    ...['profiles', 'templates'].map((list): Row => [
      `with its ${list}`,
      json(NUMBER, DAY, `"${list}":[{"eye":"OD"},{"eye":"OS"}]`),
      'incomplete eyeUnknown nothingStated',
    ]),
    ...['results', 'values'].flatMap((list): Row[] => [
      [`in its ${list}`, `{"${list}":[${json(...WHOLE)}]}`, 'waiting'],
      [
        `in its ${list}, each with its file`,
        json(NUMBER, DAY, `"${list}":[{"file":"4f2a.png","eye":"OD"},{"file":"77b0.png","eye":"OS"}]`),
        'waiting',
      ],
      [
        `whose eye was measured in its ${list}`,
        json(NUMBER, DAY, `"${list}":[{"eye":"OD","reading":14}]`),
        'incomplete eyeUnknown nothingStated',
      ],
    ]),
    [
      'with a measured eye beside its number',
      json(DAY, `"results":[${json(NUMBER, EYE, '"iop":14')}]`),
      'incomplete eyeUnknown nothingStated',
    ],
    ['in the report that holds all of it', `{"report":${json(...WHOLE)}}`, 'waiting'],
    [
      'with one value twice, in two spellings',
      json(...WHOLE, '"laterality":"R","eye":"right eye"'),
      'waiting',
    ],
    ['with a name in two spellings', json(...WHOLE, '"patientName":"HAAS, Nóra"'), 'waiting'],
    ['with an eye in dots', json(NUMBER, DAY, '"eye":"O.D. (right)"'), 'waiting'],
    ['with both eyes measured', json(...WHOLE, '"OD":{"iop":14},"OS":{"iop":15}'), 'waiting'],
    [
      'with a list of both measured',
      json(...WHOLE, '"results":[{"eye":"OD","iop":14},{"eye":"OS","iop":15}]'),
      'waiting',
    ],
    [
      'with earlier exams',
      json(...WHOLE, '"previousExams":[{"examDate":"2024-03-01","eye":"OS"}]'),
      'waiting',
    ],
    [
      'with the whole exam',
      json(...WHOLE, '"images":[{"file":"4f2a.png","eye":"OD"},{"file":"77b0.png","eye":"OS"}]'),
      'waiting',
    ],
    ['with an order of the other eye', json(...WHOLE, '"order":{"eye":"OS","patientId":"Z-9"}'), 'waiting'],
    [
      'with a technician',
      json(...WHOLE, '"technician":{"lastName":"Weber","birthDate":"1988-01-01"}'),
      'waiting',
    ],
    ['with empty values', json(...WHOLE, '"iop":"","room":"","diagnosis":null'), 'waiting'],
    ['with an odd measurement', json(...WHOLE, '"od_va":"CF","os_iop":"<5"'), 'waiting'],
    [
      'with an unknown block that agrees',
      json(...WHOLE, '"lane7":{"eye":"R","examDate":"20261120"}'),
      'waiting',
    ],

    ['with the eye twice', json(...WHOLE, '"eye":"OS"'), 'incomplete eyeConflict notIntact sourcesDiffer'],
    [
      'with the number twice',
      json(...WHOLE, '"patientId":"H-00418"'),
      'incomplete fieldMissing valueOutOfRange nothingStated notIntact',
    ],
    [
      'with the day twice',
      json(...WHOLE, '"examDate":"2026-11-19"'),
      'incomplete valueOutOfRange notIntact fileTime',
    ],
    [
      'with two names',
      json(...WHOLE, '"patientName":"Weber, Ida"'),
      'incomplete valueOutOfRange valueOutOfRange notIntact',
    ],
    ['with two births', json(...WHOLE, '"birthDate":"1971-06-02"'), DOUBTED],
    [
      'with a list of eyes',
      json(NUMBER, DAY, '"eye":["OD","OS"]'),
      'incomplete eyeConflict notIntact sourcesDiffer',
    ],
    ['with an eye that is none', json(...WHOLE, '"laterality":"Haas"'), DOUBTED],
    ['with an unknown block of the other eye', json(...WHOLE, '"lane7":{"eye":"OS"}'), DOUBTED],
    ['with an unknown block of another number', json(...WHOLE, '"lane7":{"mrn":"K-99120"}'), DOUBTED],
    ['with an unknown block of another day', json(...WHOLE, '"lane7":{"examDate":"2026-11-18"}'), DOUBTED],
    [
      'with the eye in an unknown block alone',
      json(NUMBER, DAY, '"lane7":{"eye":"OD"}'),
      'incomplete eyeUnknown nothingStated',
    ],
    [
      'with its number in the order alone',
      json(DAY, EYE, '"order":{"patientId":"H-00417"}'),
      'incomplete fieldMissing nothingStated',
    ],
    ['with digits for a name', json(NUMBER, DAY, EYE, '"lastName":"20261120"'), DOUBTED],
    ['with a day under a measurement', json(...WHOLE, '"od_iop":"2026-11-20"'), DOUBTED],
    ['with an eye under a measurement', json(...WHOLE, '"od_va":"OS"'), DOUBTED],
  ])('%s', async (_, text, expected) => expect(await becomes('4f2a.json', text)).toBe(expected))
})

describe('a case.json', () => {
  const CASE = '"history_number":"H-00417","visit_date":"2026-11-20"'
  it.each<Row>([
    ['whole and once', json(CASE, '"images":{"4f2a.png":"OD"}'), 'waiting'],
    [
      'of both eyes that says so',
      json(CASE, '"images":{"4f2a.png":"OD","77b0.png":"OS"}', '"laterality":"OU"'),
      'waiting',
    ],
    ...['"11/03/1957"', '"1957-13-11"', '"unknown day"', '{"y":1957}'].map((birth): Row => [
      `with the birth date ${birth}`,
      json(CASE, `"birth_date":${birth},"images":{"4f2a.png":"OD"}`),
      birth.startsWith('{') ? 'waiting' : DOUBTED,
    ]),
    ...['null', '""', '"1957-03-11"'].map((birth): Row => [
      `with the birth date ${birth}`,
      json(CASE, `"birth_date":${birth},"images":{"4f2a.png":"OD"}`),
      'waiting',
    ]),
    ...['Perez Ruiz Juan', 'Juan Perez Ruiz', 'Marta Gomez Villa'].map((name): Row => [
      `beside another name, ${name}`,
      json(
        CASE,
        `"last_name":"Gomez","first_name":"Ana","patient_name":"${name}","images":{"4f2a.png":"OD"}`,
      ),
      DOUBTED,
    ]),
    ...['Gomez Ana Maria', 'Ana Gomez Villa'].map((name): Row => [
      `beside the same name, ${name}`,
      json(
        CASE,
        `"last_name":"Gomez","first_name":"Ana","patient_name":"${name}","images":{"4f2a.png":"OD"}`,
      ),
      'waiting',
    ]),
    ...[
      ['"last_name":"20261120"', DOUBTED],
      ['"first_name":"417"', DOUBTED],
      ['"last_name":"Haas2"', DOUBTED],
      ['"last_name":"Ha\\u0000as"', DOUBTED],
      ['"first_name":"No\\u001bra"', DOUBTED],
      ['"first_name":"Nora\\ufffd"', DOUBTED],
      ['"birth_date":"1957-03-11\\u0000"', DOUBTED],
      ['"last_name":"O’Dell-Haas","first_name":"Nóra Mª"', 'waiting'],
    ].map(([name = '', expected = '']): Row => [
      `with the name ${name}`,
      json(CASE, name, '"images":{"4f2a.png":"OD"}'),
      expected,
    ]),
    ['with one eye in two spellings', json(CASE, '"images":{"4f2a.png":"OD","4f2a.png":"right"}'), 'waiting'],
    [
      'with the number twice',
      json(CASE, '"history_number":"H-00418","images":{"4f2a.png":"OD"}'),
      'incomplete fieldMissing valueOutOfRange nothingStated notIntact',
    ],
    ...[
      '"4f2a.png":"OD","4f2a.png":"OS"',
      '"4f2a.png":"OD","4F2A.PNG":"OS"',
      '"./4f2a.png":"OS","4f2a.png":"OD"',
    ].map((images): Row => [
      `with ${images}`,
      json(CASE, `"images":{${images}}`),
      'incomplete eyeUnknown notIntact nothingStated',
    ]),
    [
      'with its images twice',
      json(CASE, '"images":{"4f2a.png":"OD"},"images":{"4f2a.png":"OS"}'),
      'incomplete eyeUnknown notIntact nothingStated',
    ],
    ...['"mrn":"H-00417"', '"examDate":"20261120"', '"laterality":"R"'].map((beside): Row => [
      `with ${beside} beside it`,
      json(CASE, '"images":{"4f2a.png":"OD"}', beside),
      'waiting',
    ]),
    ...['"mrn":"H-00300"', '"examDate":"2026-11-18"', '"laterality":"OS"', '"patient":{"id":"H-00300"}'].map(
      (beside): Row => [
        `with ${beside} beside it`,
        json(CASE, '"images":{"4f2a.png":"OD"}', beside),
        DOUBTED,
      ],
    ),
    ...[
      '"referrer":{"mrn":"H-00300"}',
      '"previousExam":{"examDate":"2024-03-01","eye":"OS"}',
      '"date":"2026-11-21"',
    ].map((beside): Row => [`with ${beside}`, json(CASE, '"images":{"4f2a.png":"OD"}', beside), 'waiting']),
    [
      'with the day twice',
      json(CASE, '"visit_date":"2026-11-19","images":{"4f2a.png":"OD"}'),
      'incomplete valueOutOfRange notIntact fileTime',
    ],
  ])('%s', async (_, text, expected) => expect(await becomes('case.json', text)).toBe(expected))
})
