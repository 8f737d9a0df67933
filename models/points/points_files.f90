! The common parts of the diagnostics and the restart: the mesh after UGRID 1.0, levels, the order
! of the cells, and attributes after CF-1.11.
module points_files
  use, intrinsic :: iso_fortran_env, only: sp => real32
  use sverdrup
  use points_options, only: dp
  use points_grid, only: grid_type
  implicit none
  private
  public :: mesh_type, define_mesh, write_mesh, put_global, define_field, missing

  real(sp), parameter :: missing = 1.0e20_sp      ! on land

  ! Dimensions and variables.
  type mesh_type
    integer :: cell = 0, node = 0, four = 0, lev = 0, two = 0
    integer :: mesh = 0, lon = 0, lat = 0, area = 0, faces = 0, node_lon = 0, node_lat = 0
    integer :: lev_id = 0, lev_bnds = 0
  end type mesh_type

contains

  subroutine put_global(file, title)
    type(sv_file_t), intent(in) :: file
    character(*), intent(in) :: title
    call sv_put_att(file, SV_GLOBAL, 'Conventions', 'CF-1.11 UGRID-1.0')
    call sv_put_att(file, SV_GLOBAL, 'title', title)
    call sv_put_att(file, SV_GLOBAL, 'institution', 'Sverdrup')
    call sv_put_att(file, SV_GLOBAL, 'source', 'models/points of Sverdrup')
    call sv_put_att(file, SV_GLOBAL, 'history', 'written by the model as it ran')
    call sv_put_att(file, SV_GLOBAL, 'references', 'docs/points-model.md of Sverdrup')
  end subroutine put_global

  ! Local, in define mode. `ordered`: the order of the cells, where `follows` it.
  subroutine define_mesh(file, g, ordered, follows, mesh)
    type(sv_file_t), intent(in) :: file
    type(grid_type), intent(in) :: g
    type(sv_decomp_t), intent(in) :: ordered
    logical, intent(in) :: follows
    type(mesh_type), intent(out) :: mesh
    integer :: order
    call sv_def_dim(file, 'cell', g%cells, mesh%cell)
    call sv_def_dim(file, 'node', g%nodes, mesh%node)
    call sv_def_dim(file, 'four', 4, mesh%four)
    call sv_def_dim(file, 'lev', g%nz, mesh%lev)
    call sv_def_dim(file, 'bnds', 2, mesh%two)
    if (follows) call sv_def_order(file, mesh%cell, 'cell_order', ordered, order)
    call sv_def_var(file, 'mesh', SV_INT, [integer ::], mesh%mesh)
    call sv_put_att(file, mesh%mesh, 'cf_role', 'mesh_topology')
    call sv_put_att(file, mesh%mesh, 'long_name', 'cells of four edges')
    call sv_put_att(file, mesh%mesh, 'topology_dimension', 2)
    call sv_put_att(file, mesh%mesh, 'node_coordinates', 'node_lon node_lat')
    call sv_put_att(file, mesh%mesh, 'face_coordinates', 'lon lat')
    call sv_put_att(file, mesh%mesh, 'face_node_connectivity', 'face_nodes')
    call sv_put_att(file, mesh%mesh, 'face_dimension', 'cell')
    call sv_def_var(file, 'face_nodes', SV_INT, [mesh%four, mesh%cell], mesh%faces)
    call sv_put_att(file, mesh%faces, 'cf_role', 'face_node_connectivity')
    call sv_put_att(file, mesh%faces, 'long_name', 'nodes of each cell, counter-clockwise')
    call sv_put_att(file, mesh%faces, 'start_index', 0)
    call define_place('lon', 'longitude', 'degrees_east', mesh%cell, mesh%lon)
    call define_place('lat', 'latitude', 'degrees_north', mesh%cell, mesh%lat)
    call define_place('node_lon', 'longitude', 'degrees_east', mesh%node, mesh%node_lon)
    call define_place('node_lat', 'latitude', 'degrees_north', mesh%node, mesh%node_lat)
    call sv_def_var(file, 'area', SV_DOUBLE, [mesh%cell], mesh%area)
    call sv_put_att(file, mesh%area, 'standard_name', 'cell_area')
    call sv_put_att(file, mesh%area, 'long_name', 'area of cells')
    call sv_put_att(file, mesh%area, 'units', 'm2')
    call define_levels(file, mesh)

  contains

    subroutine define_place(name, standard_name, units, dim, id)
      character(*), intent(in) :: name, standard_name, units
      integer, intent(in) :: dim
      integer, intent(out) :: id
      call sv_def_var(file, name, SV_DOUBLE, [dim], id)
      call sv_put_att(file, id, 'standard_name', standard_name)
      call sv_put_att(file, id, 'long_name', standard_name//' of '// &
        trim(merge('cell centres', 'nodes       ', dim == mesh%cell)))
      call sv_put_att(file, id, 'units', units)
    end subroutine define_place

  end subroutine define_mesh

  subroutine define_levels(file, mesh)
    type(sv_file_t), intent(in) :: file
    type(mesh_type), intent(inout) :: mesh
    call sv_def_var(file, 'lev', SV_DOUBLE, [mesh%lev], mesh%lev_id)
    call sv_put_att(file, mesh%lev_id, 'standard_name', 'depth')
    call sv_put_att(file, mesh%lev_id, 'long_name', 'depth of cell centres')
    call sv_put_att(file, mesh%lev_id, 'units', 'm')
    call sv_put_att(file, mesh%lev_id, 'axis', 'Z')
    call sv_put_att(file, mesh%lev_id, 'positive', 'down')
    call sv_put_att(file, mesh%lev_id, 'bounds', 'lev_bnds')
    call sv_def_var(file, 'lev_bnds', SV_DOUBLE, [mesh%two, mesh%lev], mesh%lev_bnds)
  end subroutine define_levels

  ! Collective.
  subroutine write_mesh(file, g, mesh)
    type(sv_file_t), intent(in) :: file
    type(grid_type), intent(in) :: g
    type(mesh_type), intent(in) :: mesh
    real(dp) :: bounds(2, g%nz)
    bounds(1, :) = g%depth_edge(:g%nz - 1)
    bounds(2, :) = g%depth_edge(1:)
    call sv_put_var(file, mesh%mesh, 0)
    call sv_put_var(file, mesh%lev_id, g%depth)
    call sv_put_var(file, mesh%lev_bnds, bounds)
    call sv_put_vara(file, mesh%node_lon, [g%first_node], [size(g%node_lon)], g%node_lon)
    call sv_put_vara(file, mesh%node_lat, [g%first_node], [size(g%node_lat)], g%node_lat)
    call sv_put(file, mesh%faces, g%points, g%face_nodes)
    call sv_put(file, mesh%lon, g%points, g%lon)
    call sv_put(file, mesh%lat, g%points, g%lat)
    call sv_put(file, mesh%area, g%points, g%area(:g%n))
  end subroutine write_mesh

  ! Local, in define mode. A variable on the cells.
  subroutine define_field(file, name, type, dims, id)
    type(sv_file_t), intent(in) :: file
    character(*), intent(in) :: name
    integer, intent(in) :: type, dims(:)
    integer, intent(out) :: id
    call sv_def_var(file, name, type, dims, id)
    if (type == SV_FLOAT) call sv_def_fill(file, id, missing)
    if (type == SV_DOUBLE) call sv_def_fill(file, id, real(missing, dp))
    call sv_put_att(file, id, 'mesh', 'mesh')
    call sv_put_att(file, id, 'location', 'face')
    call sv_put_att(file, id, 'coordinates', 'lon lat')
    call sv_put_att(file, id, 'CDI_grid_type', 'unstructured')
    call sv_put_att(file, id, 'cell_measures', 'area: area')
  end subroutine define_field

end module points_files
