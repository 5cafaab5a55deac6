/** A standing square with two joints: z up, decimeters, two materials, an animated matrix element. */
export const DAE: string = `<?xml version="1.0"?>
<!-- made by hand -->
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="decimeter" meter="0.1"/><up_axis>Z_UP</up_axis></asset>
  <library_effects><effect id="fx"><profile_COMMON><technique sid="c"><lambert>
    <diffuse><color>0 1 0 1</color></diffuse></lambert></technique></profile_COMMON></effect></library_effects>
  <library_materials><material id="green" name="green &amp; fresh"><instance_effect url="#fx"/></material></library_materials>
  <library_geometries><geometry id="sq" name="square"><mesh>
    <source id="pos"><float_array id="pos-a" count="12">0 0 0 10 0 0 10 0 10 0 0 10</float_array>
      <technique_common><accessor source="#pos-a" count="4" stride="3"/></technique_common></source>
    <source id="nor"><float_array id="nor-a" count="3">0 -1 0</float_array>
      <technique_common><accessor source="#nor-a" count="1" stride="3"/></technique_common></source>
    <vertices id="ver"><input semantic="POSITION" source="#pos"/></vertices>
    <triangles count="1" material="m"><input semantic="VERTEX" source="#ver" offset="0"/><input semantic="NORMAL" source="#nor" offset="1"/>
      <p>0 0 1 0 2 0</p></triangles>
    <polylist count="1" material="other"><input semantic="VERTEX" source="#ver" offset="0"/><input semantic="NORMAL" source="#nor" offset="1"/>
      <vcount>3</vcount><p>0 0 2 0 3 0</p></polylist>
  </mesh></geometry></library_geometries>
  <library_controllers><controller id="ctl"><skin source="#sq">
    <bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>
    <source id="jn"><Name_array id="jn-a" count="2">Hip Knee</Name_array></source>
    <source id="ib"><float_array id="ib-a" count="32">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 0 0 1 0 0 0 0 1 -5 0 0 0 1</float_array>
      <technique_common><accessor source="#ib-a" count="2" stride="16"/></technique_common></source>
    <source id="we"><float_array id="we-a" count="3">1 0.25 0.75</float_array>
      <technique_common><accessor source="#we-a" count="3" stride="1"/></technique_common></source>
    <joints><input semantic="JOINT" source="#jn"/><input semantic="INV_BIND_MATRIX" source="#ib"/></joints>
    <vertex_weights count="4"><input semantic="JOINT" source="#jn" offset="0"/><input semantic="WEIGHT" source="#we" offset="1"/>
      <vcount>1 1 2 1</vcount><v>0 0 0 0 0 1 1 2 1 0</v></vertex_weights>
  </skin></controller></library_controllers>
  <library_animations><animation>
    <source id="t"><float_array id="t-a" count="2">0 2</float_array><technique_common><accessor source="#t-a" count="2" stride="1"/></technique_common></source>
    <source id="o"><float_array id="o-a" count="2">5 7</float_array><technique_common><accessor source="#o-a" count="2" stride="1"/></technique_common></source>
    <sampler id="s"><input semantic="INPUT" source="#t"/><input semantic="OUTPUT" source="#o"/></sampler>
    <channel source="#s" target="n-knee/transform(2)(3)"/></animation></library_animations>
  <library_visual_scenes><visual_scene id="scene">
    <node id="n-hip" name="hip" sid="Hip" type="JOINT"><rotate sid="r">0 0 1 0</rotate>
      <node id="n-knee" name="knee" sid="Knee" type="JOINT"><matrix sid="transform">1 0 0 0 0 1 0 0 0 0 1 5 0 0 0 1</matrix></node></node>
    <node id="n-sq" name="body"><instance_controller url="#ctl"><skeleton>#n-hip</skeleton>
      <bind_material><technique_common><instance_material symbol="m" target="#green"/></technique_common></bind_material>
    </instance_controller></node>
  </visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>`;
