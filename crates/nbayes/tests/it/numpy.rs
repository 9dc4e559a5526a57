//! NumPy archives: `X` and `x` are as usual as each other.

use crate::folder::Folder;

/// What `numpy.save` writes.
pub(crate) fn array(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(118_u16.to_le_bytes());
    bytes.extend(format!("{header:<117}\n").bytes());
    bytes.extend(data);
    bytes
}

/// What `numpy.savez` writes: a ZIP archive without compression.
pub(crate) fn archive(arrays: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, data) in arrays {
        let name = format!("{name}.npy");
        let mut checksum = flate2::Crc::new();
        checksum.update(data);
        let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
        for number in [checksum.sum(), data.len() as u32, data.len() as u32] {
            common.extend(number.to_le_bytes());
        }
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0; 2]);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend((bytes.len() as u32).to_le_bytes());
        directory.extend(name.bytes());
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&common);
        bytes.extend(name.bytes());
        bytes.extend(data);
    }
    let start = bytes.len() as u32;
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06\x00\x00\x00\x00");
    bytes.extend([arrays.len() as u16, arrays.len() as u16].map(u16::to_le_bytes).concat());
    bytes.extend((directory.len() as u32).to_le_bytes());
    bytes.extend(start.to_le_bytes());
    bytes.extend([0; 2]);
    bytes
}

fn rows(values: &[f64]) -> Vec<u8> {
    let data: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    array("<f8", &format!("({}, 2)", values.len() / 2), &data)
}

fn labels() -> Vec<u8> {
    array("|S1", "(4,)", b"aabb")
}

#[test]
fn either_case_is_read() {
    let folder = Folder::new();
    let x = || rows(&[1.0, 2.0, 2.0, 1.0, 5.0, 6.0, 6.0, 5.0]);
    for (x_name, y_name) in [("x", "y"), ("X", "y"), ("x", "Y"), ("X", "Y")] {
        folder.write("a.npz", archive(&[(x_name, x()), (y_name, labels())]));
        folder.ok(&format!("train a.npz -o {x_name}{y_name}.nb"));
        assert_eq!(folder.ok(&format!("predict {x_name}{y_name}.nb a.npz")), "predicted_label\na\na\nb\nb\n");
        folder.ok(&format!("evaluate {x_name}{y_name}.nb a.npz"));
    }
    for other in ["Xy", "xY", "XY"] {
        assert_eq!(folder.read("xy.nb"), folder.read(&format!("{other}.nb")));
    }
    // Where there are both, the name is meant as it is.
    let (other, all) = (rows(&[0.0; 8]), "all.npz");
    folder.write(all, archive(&[("X", other), ("x", x()), ("y", labels())]));
    folder.ok("train all.npz -o all.nb");
    assert_eq!(folder.read("xy.nb"), folder.read("all.nb"));
}

#[test]
fn other_names_are_listed() {
    let folder = Folder::new();
    folder.write("a.npz", archive(&[("data", rows(&[1.0, 2.0])), ("target", labels())]));
    let error = folder.fails(1, "train a.npz -o a.nb");
    assert!(error.contains("no array \"x\"; the archive has the arrays \"data\", \"target\""), "{error}");
    assert!(error.contains("save one under that name"), "{error}");
}
