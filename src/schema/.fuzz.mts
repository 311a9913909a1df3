import fc from 'fast-check';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { projectSchema } from './project-schema.ts';
import { compileSchema } from './compile-schema.ts';
import { coerceInput } from './coerce-input.ts';
import { parseInput } from './parse-input.ts';
import { describeIssues } from './describe-issues.ts';
import { anySchema } from '../../test/unit/schema/any-schema.ts';
import { brokenRules } from '../../test/unit/schema/provider-rules.ts';
import { sampleInstances } from '../../test/unit/schema/sample-instances.ts';
const meta = new Ajv2020({ strict: false, validateFormats:false });
const PROVIDERS = ['openai','openai-strict','anthropic','gemini'] as const;
function readable(schema: any): any { if (Array.isArray(schema)) return schema.map(readable); if (typeof schema!=='object'||schema===null) return schema; const {nullable,...rest}=Object.fromEntries(Object.entries(schema).map(([k,v])=>[k,readable(v)])) as any; return nullable===true?{anyOf:[rest,{type:'null'}]}:rest; }
let ok=0, thrown=0, inst=0, coerced=0; const msgs: Record<string,number>={};
const value = fc.letrec(t=>({v: fc.oneof({depthSize:'small'}, fc.constantFrom('x','','[1]','{"a":1}','2','true','null'), fc.integer({min:-3,max:3}), fc.boolean(), fc.constant(null), fc.array(t('v'),{maxLength:3}), fc.dictionary(fc.constantFrom('a','b','c','type'), t('v'), {maxKeys:3}))})).v;
fc.assert(fc.property(anySchema, fc.array(value,{minLength:3,maxLength:3}), (schema, values) => {
  for (const p of PROVIDERS) {
    let r; try { r = projectSchema(schema, p); } catch (e: any) { if (e.code==='invalid_request') { thrown++; const m=e.message.replace(/ at .*/,''); msgs[m]=(msgs[m]??0)+1; continue;} throw e; }
    ok++;
    const rules = p==='openai-strict'&&!r.strict?'openai':p;
    const b = brokenRules(r.schema, rules);
    if (rules!=='gemini'&&!meta.validateSchema(r.schema)) b.push(meta.errorsText(meta.errors));
    if (b.length) throw new Error(p+': '+b.join(';')+JSON.stringify(r.schema));
    if (r.lost.length===0) for (const i of sampleInstances(r.schema)) {
      const v = new Ajv2020({strict:false,validateFormats:false}).compile(readable(r.schema)); if (!v(i)) continue; inst++;
      const x = r.wrap ? (i as any)[r.wrap.key] : i;
      const o: any = parseInput(schema, x);
      if (!o.ok) throw new Error(p+' instance '+JSON.stringify(x)+' '+JSON.stringify(o)+' of '+JSON.stringify(r.schema));
    }
  }
  let validate; try { validate = compileSchema(schema); } catch (e: any) { if (e.code==='invalid_request') return; throw e; }
  for (const v of values) {
    const before = JSON.stringify(v);
    const c = coerceInput(schema, v);
    if (JSON.stringify(v)!==before) throw new Error('mutated');
    if (c !== v) coerced++;
    if (validate(v) && c !== v) throw new Error('valid value changed '+before+' -> '+JSON.stringify(c));
    const o: any = parseInput(schema, v); if (!o.ok) { const t = describeIssues('t', o.issues, schema); if (t.length>4000) throw new Error('long'); if (/undefined|\[object/.test(t)) throw new Error(t);} 
  }
}), { numRuns: Number(process.argv[2]), seed: Number(process.argv[3] ?? 1) });
console.log({ok,thrown,inst,coerced}, msgs);
