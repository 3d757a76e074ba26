/**
 * How clinics and programs call the details of a case: headings of columns, elements, keys. Written without spaces,
 * marks, accents and capitals. Sources: the interface's own names; Zeiss, Topcon MYAH, Mediworks and Eye-Office exports
 * as `reference/cameras.md` lists them; and the common words in English, Spanish, Portuguese, German and French.
 */
import type { FieldName, Measurement } from '../../../../src-shared/fields.ts'

/** What a name stands for. A measurement without an eye takes the eye that stands beside it. */
export type Meaning =
  | { readonly kind: 'field'; readonly field: FieldName }
  | { readonly kind: 'measurement'; readonly measurement: Measurement }
  | { readonly kind: 'birthDate' | 'eye' | 'file' }
  /** A day that may be the visit's: only where it stands beside a patient or in an examination. */
  | { readonly kind: 'plainDate' }
  /** Both names in one. */
  | { readonly kind: 'fullName' }
  /** `name` beside a first name is a last name; `nombre` beside no last name may hold both. */
  | { readonly kind: 'nameAlone' | 'firstAlone' }
  /** The first and the second surname of Spanish records. */
  | { readonly kind: 'surname'; readonly position: 1 | 2 }

/** `telling`: found in files about cases only. `common`: other programs' files have such names, too. */
export type KnownName = { readonly meaning: Meaning; readonly tells: 'telling' | 'common' }

const field = (name: FieldName): Meaning => ({ kind: 'field', field: name })
const measured = (measurement: Measurement): Meaning => ({ kind: 'measurement', measurement })

const LIST: readonly (readonly [Meaning, KnownName['tells'], names: string])[] = [
  [
    field('history_number'),
    'telling',
    `historynumber historyno historynr historyid patientid patientnumber patientno patientnr patid patnr
    patientidentifier patientcode mrn medicalrecordnumber chartnumber idpaciente pacienteid numeropaciente
    numerodepaciente nopaciente codigopaciente historia historiaclinica nhistoria nohistoria numhistoria
    nhistoriaclinica nohistoriaclinica numhistoriaclinica numerohistoria numerodehistoria numerohistoriaclinica numerodehistoriaclinica nrohistoria nrohistoriaclinica
    nhc hc patientennummer patientennr patientenid prontuario numeroprontuario idpatient numeropatient ipp`,
  ],
  [
    field('last_name'),
    'common',
    `lastname surname familyname patientlastname patientsurname apellido apellidos apellidospaciente nachname
    familienname sobrenome apelido nomdefamille`,
  ],
  [
    field('first_name'),
    'common',
    'firstname firstnames givenname givennames forename patientfirstname vorname prenom primeironome',
  ],
  [{ kind: 'surname', position: 1 }, 'common', 'apellido1 primerapellido 1apellido'],
  [{ kind: 'surname', position: 2 }, 'common', 'apellido2 segundoapellido 2apellido'],
  [
    { kind: 'fullName' },
    'telling',
    `patientname patientfullname nombrepaciente nombredelpaciente pacientenombre patientenname`,
  ],
  [
    { kind: 'fullName' },
    'common',
    'fullname nombrecompleto nombreyapellidos nombreyapellido apellidosynombre apellidoynombre',
  ],
  [{ kind: 'nameAlone' }, 'common', 'name nom'],
  [{ kind: 'firstAlone' }, 'common', 'nombre nombres nome'],
  [
    { kind: 'birthDate' },
    'telling',
    `birthdate dateofbirth dob birthday patientbirthdate patientdob fechanacimiento fechadenacimiento fechanac
    fnacimiento fnac nacimiento geburtsdatum gebdatum geburtstag datanascimento datadenascimento nascimento
    datenaissance datedenaissance`,
  ],
  [
    field('gender'),
    'common',
    'gender sex patientsex patientgender sexo sexopaciente genero geschlecht sexe genre sesso',
  ],
  [field('age'), 'common', 'age patientage edad alter idade'],
  [field('diabetes'), 'telling', 'diabetes diabetic diabetico diabetica esdiabetico esdiabetica'],
  [
    field('visit_date'),
    'telling',
    `visitdate dateofvisit examdate examinationdate dateofexam dateofexamination studydate acquisitiondate
    capturedate checktime checkdate fechavisita fechadevisita fechadelavisita fechaexamen fechadeexamen
    fechadelexamen fechaexploracion fechaestudio fechacaptura fechaconsulta untersuchungsdatum aufnahmedatum
    datavisita datadavisita dataexame datadoexame dateexamen datedexamen datevisite`,
  ],
  [{ kind: 'plainDate' }, 'common', 'date fecha datum'],
  [
    field('visit_reason'),
    'telling',
    'visitreason reasonforvisit motivoconsulta motivodeconsulta motivovisita',
  ],
  [field('visit_reason'), 'common', 'reason motivo'],
  [
    field('ophthalmic_antecedents'),
    'telling',
    `ophthalmicantecedents ocularhistory ophthalmichistory antecedentesoculares antecedentesoftalmologicos
    antecedentesoftalmicos`,
  ],
  [field('ophthalmic_antecedents'), 'common', 'antecedentes antecedents'],
  [
    field('other_relevant_info'),
    'telling',
    'otherrelevantinfo otrosdatosrelevantes otrainformacionrelevante',
  ],
  [field('other_relevant_info'), 'common', 'observaciones'],
  [field('retinologist_notes'), 'telling', 'retinologistnotes'],
  [
    { kind: 'eye' },
    'common',
    'eye eyetype laterality imagelaterality side ojo lado lateralidad auge seite oeil olho',
  ],
  [
    { kind: 'file' },
    'common',
    `file filename filepath image imagefile imagename imagepath archivo fichero nombrearchivo nombredelarchivo imagen
    foto fotografia photo picture datei dateiname bild bilddatei arquivo imagem fichier`,
  ],
  [measured('iop'), 'common', 'iop pio intraocularpressure presionintraocular tensionocular augendruck tio'],
  [measured('va'), 'common', 'va visualacuity acuity agudezavisual av visus acuidadevisual acuitevisuelle'],
  [measured('sphere'), 'common', 'sphere sph esfera esf sphare sphaere sfera'],
  [measured('cylinder'), 'common', 'cylinder cyl cilindro cil zylinder zyl cylindre'],
  [measured('axis'), 'common', 'axis ax eje achse eixo axe axiscylinder cylinderaxis ejecilindro'],
  [measured('add'), 'common', 'add addition adicion adicao'],
  [measured('prism'), 'common', 'prism prisma prisme'],
  [measured('prism_base'), 'common', 'prismbase baseprisma prismabase basedelprisma'],
]

const KNOWN_NAMES: ReadonlyMap<string, KnownName> = new Map(
  LIST.flatMap(([meaning, tells, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, { meaning, tells }] as const),
  ),
)

/** What a plain name stands for; null where it is nothing of a case. */
export function knownName(plain: string): KnownName | null {
  return KNOWN_NAMES.get(plain) ?? null
}
